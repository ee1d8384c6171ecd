! Rotating shallow water on a C grid, forward-backward in time, with drag and a sponge at the western side.
! Head: from the initial surface to the misfit against a gauge. Every time step is a checkpointed part; its
! tendencies are computed by calls.
module ocean
  implicit none
  integer, parameter :: nx = 16, ny = 12
  real(8), parameter :: gravity = 9.81d0, depth = 50.0d0, dx = 1.0d4, dy = 1.0d4
  real(8) :: eta(nx, ny), u(nx + 1, ny), v(nx, ny + 1)
  real(8) :: coriolis(ny), drag, sponge(nx)
end module ocean

subroutine setup(eta0)
  use ocean
  implicit none
  real(8), intent(in) :: eta0(nx, ny)
  integer :: i, j
  do j = 1, ny
    coriolis(j) = 1.0d-4 + 2.0d-6*(j - 0.5d0*ny)
    do i = 1, nx
      eta(i, j) = eta0(i, j)
    end do
  end do
  u = 0.0d0
  v = 0.0d0
  do i = 1, nx
    sponge(i) = 0.0d0
    if (i <= 3) sponge(i) = 1.0d-4*(4 - i)
  end do
end subroutine setup

! Continuity: the surface moves with the divergence of the flux through the cell faces.
subroutine continuity(dt)
  use ocean
  implicit none
  real(8), intent(in) :: dt
  real(8) :: fx(nx + 1, ny), fy(nx, ny + 1), height
  integer :: i, j
  fx = 0.0d0
  fy = 0.0d0
  do j = 1, ny
    do i = 2, nx
      if (u(i, j) > 0.0d0) then
        height = depth + eta(i - 1, j)
      else
        height = depth + eta(i, j)
      end if
      fx(i, j) = u(i, j)*height*dy
    end do
  end do
  do j = 2, ny
    do i = 1, nx
      if (v(i, j) > 0.0d0) then
        height = depth + eta(i, j - 1)
      else
        height = depth + eta(i, j)
      end if
      fy(i, j) = v(i, j)*height*dx
    end do
  end do
  do j = 1, ny
    do i = 1, nx
      eta(i, j) = eta(i, j) - dt*(fx(i + 1, j) - fx(i, j) + fy(i, j + 1) - fy(i, j))/(dx*dy)
    end do
  end do
end subroutine continuity

! Momentum: pressure gradient, rotation, quadratic drag, implicit in the drag.
subroutine momentum(dt)
  use ocean
  implicit none
  real(8), intent(in) :: dt
  real(8) :: vbar, ubar, speed, unew(nx + 1, ny)
  integer :: i, j
  unew = u
  do j = 1, ny
    do i = 2, nx
      vbar = 0.25d0*(v(i - 1, j) + v(i, j) + v(i - 1, j + 1) + v(i, j + 1))
      speed = sqrt(u(i, j)**2 + vbar**2 + 1.0d-8)
      unew(i, j) = (u(i, j) + dt*(coriolis(j)*vbar - gravity*(eta(i, j) - eta(i - 1, j))/dx)) &
                   /(1.0d0 + dt*(drag*speed/depth + sponge(i)))
    end do
  end do
  do j = 2, ny
    do i = 1, nx
      ubar = 0.25d0*(u(i, j - 1) + u(i + 1, j - 1) + u(i, j) + u(i + 1, j))
      speed = sqrt(v(i, j)**2 + ubar**2 + 1.0d-8)
      v(i, j) = (v(i, j) - dt*(coriolis(j)*ubar + gravity*(eta(i, j) - eta(i, j - 1))/dy)) &
                /(1.0d0 + dt*(drag*speed/depth + sponge(i)))
    end do
  end do
  u = unew
end subroutine momentum

subroutine shallow_water(eta0, friction, nsteps, dt, cost)
  use ocean
  implicit none
  real(8), intent(in) :: eta0(nx, ny), friction, dt
  integer, intent(in) :: nsteps
  real(8), intent(out) :: cost
  real(8) :: gauge
  integer :: step, j
  call setup(eta0)
  drag = friction*1.0d-2
  cost = 0.0d0
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call continuity(dt)
    call momentum(dt)
    do j = 1, ny
      eta(1, j) = eta(1, j) + 1.0d-3*sin(0.1d0*step)
    end do
    !$AD CHECKPOINT-END
    gauge = eta(nx - 2, ny/2) - 0.9d0
    cost = cost + gauge*gauge*dt
  end do
end subroutine shallow_water
