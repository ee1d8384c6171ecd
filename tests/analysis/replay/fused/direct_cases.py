"""Statements of one procedure for test_direct.py, each case under its name.

After a name: the error at which the function hands over to the node functions.
"""

from __future__ import annotations

STATEMENTS = """
== zero-trip
k = 7
do i = 4, 3
  k = i
end do
ia(1) = i
do i = n, 5, -1
  k = k + i
end do
ia(2) = i
== negative step
do i = 5, 0, -2
  x(i) = x(i)*i + x(5 - i)
end do
ia(1) = i
do i = 4, 1, -1
  ia(i) = i
end do
== variable step
k = 2
do i = 0, 5, k
  k = 5
  x(i) = i
end do
ia(1) = i
l = -1
do j = n, 1, l
  x(j) = j
end do
== step zero -> OverflowError
k = 0
do i = 1, 4, k
  y = i
end do
== exit and cycle
outer: do i = 1, 4
  x(0) = x(0) + i
  do j = 1, 4
    if (j == i) cycle outer
    if (j == 3) exit
    if (i*j == 8) exit outer
    x(j) = x(j) + i*j
  end do
  x(5) = x(5) + j
end do outer
ia(1) = i
ia(2) = j
== three loops deep
a: do i = 1, n
  b: do j = 1, n
    do k = 1, n
      if (i + j + k == 6) cycle a
      if (i*j*k == 4) cycle b
      if (k == 4) exit a
      y = y + i*100 + j*10 + k
    end do
    y = -y
  end do b
  y = y + 0.5d0
end do a
== while
k = 0
do while (k < n .and. x(k) > 0)
  k = k + 1
  if (k == 2) cycle
  y = y + x(k)
end do
do
  k = k - 1
  if (k < 1) exit
  y = y*2
end do
== goto
k = 0
10 k = k + 1
if (k == 2) goto 10
if (k > 3) goto 20
y = y + k
goto 10
20 continue
do i = 1, 3
  if (i == 2) goto 30
  y = y*3
30   continue
end do
== goto out of loops
do i = 1, 4
  do j = 1, 4
    if (i*j == 6) goto 40
    x(i) = x(i) + j
  end do
end do
y = 1
40 y = y + i*10 + j
== return
do i = 1, 4
  do j = 1, 4
    if (i*j == 6) return
    x(i) = x(i) + j
  end do
end do
== select
do i = -1, 6
  select case (i)
  case (:0)
    k = 10
  case (1, 3:4)
    k = 20
  case (6:)
    k = 30
  case default
    k = 40
  end select
  y = y + k*i
end do
select case (n)
case default
  k = 1
end select
== division by zero -> ZeroDivisionError
s = x(1) - x(1)
y = 1/s
x(2) = -x(1)/s
x(3) = s/s
x(4) = y - y
== division by zero in a loop -> ZeroDivisionError
do i = -1, 2
  do j = 1, 2
    x(j) = x(j)/i + j
  end do
  y = y + 1d0/i
end do
== division by zero in a test -> ZeroDivisionError
s = 0
do i = 1, 3
  if (1/s > i) y = y + i
end do
== overflow of reals
s = 1d300
y = s*s
x(1) = y - y
x(2) = -y
x(3) = min(y, x(1))
x(4) = max(x(1), y)
== root of a negative -> ValueError
y = sqrt(-x(1))
x(2) = log(-x(1))
x(3) = (-x(1))**0.5d0
== integer overflow -> OverflowError
k = 2147483647
k = k + 1
ia(1) = k*2
l = k - 1
y = l
== overflow in a loop -> OverflowError
k = 1
do i = 1, 40
  k = k*7 + i
end do
== overflow inside -> OverflowError
k = 2147483647
y = k + 1
if (k + 2 > 0) y = y + 1
== overflow of an element -> ValueError
ia = 2000000000
ia(2) = ia(1) + ia(2)
== loop to the last integer -> OverflowError
do i = 2147483646, 2147483647
  y = y + 1
end do
== other integers -> OverflowError
tiny8 = 100
tiny8 = tiny8 + 100
big = 2147483647
big = big*big + k
y = big
== wide integers
k = 7
big = 4611686018427387904_8
y = big
big = big + k
yes = big > y
f = big
== above -> IndexError
y = x(n + 1)
== below -> IndexError
y = x(n - 6)
== below, constant -> IndexError
y = x(-1)
== below in a loop -> OverflowError
do i = 1, 4
  x(i - 1) = i
  x(i - 2) = i
end do
== below at the end -> OverflowError
do i = 4, 1, -1
  x(i) = ia(i - 1)
end do
== below by a factor -> OverflowError
do i = 1, 4
  x(4 - 2*i) = i
end do
== above in a loop -> IndexError
do i = 1, 4
  x(i + 2) = i
end do
== below, but never run
do i = 0, 4
  if (i > 0) x(i) = x(i - 1)
  if (i == 0) cycle
  x(i - 1) = 1
  if (i > 1 .and. x(i - 2) > 0) y = y + x(i - 2)
end do
== below, in no iteration
do i = 1, n - 5
  x(i - 7) = 0
end do
== indirect -> IndexError
ia = (/ 4, 1, 3, 2 /)
do i = 1, 4
  x(ia(i)) = x(ia(ia(i)) - 1) + i
end do
y = x(ia(1) - 5)
== signs
do i = -7, 7, 7
  do j = -2, 2, 4
    ia(1) = i/j
    ia(2) = mod(i, j)
    ia(3) = modulo(i, j)
    y = y*1000 + ia(1)*100 + ia(2)*10 + ia(3)
  end do
end do
k = mod(-7, 3)*10 + mod(7, 3)
== integer division by zero -> ZeroDivisionError
k = 0
l = 7/k
== rounding -> OverflowError
do i = -3, 3
  y = i*0.5d0
  k = nint(y)*1000 + int(y)*100 + floor(y)*10 + ceiling(y)
  x(2) = x(2)*7 + k
  ia(1) = y
end do
k = nint(1d20)
== powers
y = x(1)**2 + x(2)**3 + x(3)**n + x(4)**(-2) + x(1)**x(2) + 2**n
k = 3**4 + (-2)**3
f = 1.5
g = f**2 + f**3 + f**n + f**1.5
== functions
y = exp(x(1)) + sin(x(2))*cos(x(3)) + atan2(x(1), x(2)) + sqrt(x(4)) + abs(-x(1)) + sign(x(1), -1d0)
x(1) = mod(7*x(1), 2d0) + modulo(-7*x(2), 2d0) + tanh(x(3)) + aint(-2.7d0) + anint(2.5d0) + dim(x(1), s)
x(2) = max(x(1), y, 0.3d0) + min(x(2), y) + merge(x(1), x(2), n > 2) + dble(n) + real(n, 8)
k = max(n, 3, -2) + min(n, 2) + abs(-n) + isign(n, -1)
s = sum(x)*half + table(2) + three
x(3) = dot_product(x(1:3), x(2:4)) + maxval(x) + size(x) + hypot(x(1), x(2)) + erf(x(4))
== NaN
s = 0
y = 0*(1d308*10)
yes = y == y
no = .not. (y < 1)
x(1) = max(y, 1d0)
x(2) = max(1d0, y)
if (y > 1 .or. yes) k = 1
if (y /= y) k = 2
== single precision
f = 0.1
g = f*3 + n
h(1) = f/g
h(2) = h(1)*x(1)
do i = 1, 3
  h(i + 1) = h(i)*f + sin(h(i))
end do
y = f + x(1)
yes = f < x(1)
no = f == 0.1d0
x(2) = h(2)
f = f/(g - g)
k = h(1)*100
if (f > g .and. h(3) < 16777217) k = k + 1
== logicals
yes = x(1) > 0
no = .not. yes .or. n == 3
if (yes .neqv. no) y = 2
yes = yes .eqv. .true.
if (yes .and. .not. no) k = 5
== whole arrays
x = x*2
x(1:3) = x(3:1:-1) + s
y = x(2)
where (x > 1.5d0)
  x = x - y
elsewhere
  x = y
end where
k = 2
x(k:) = k
k = k + ubound(x, 1)
y = y + k
== undefined
if (n < 0) then
  k = 1
  y = s
  yes = .true.
end if
ia(2) = k
== all at once
k = 3
do j = 1, 2
  forall (i = 1:k) x(i) = x(i - 1) + k
  k = k + 1
  y = y + x(k)
end do
== below by what changes -> IndexError
k = 0
do i = 1, 4
  x(i - k) = i
  k = k + 2
end do
== zeros of both signs
s = 0
y = max(s, -s)
x(1) = max(-s, s)
x(2) = min(s, -s)
x(3) = min(-s, s, x(2))
== one jump, then none
outer: do i = 1, 4
  do j = 1, 3
    if (i == 2 .and. j == 2) cycle outer
    x(j) = x(j) + i
  end do
  x(5) = x(5) + i
end do outer
"""
