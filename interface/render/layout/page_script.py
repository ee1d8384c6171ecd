"""What a page does where scripts run: a panel of evidence beside the source, order and search in tables and trees.

Everything it shows stands in the page already. It moves elements and copies of them, and never makes markup of text.
"""

from __future__ import annotations

SCRIPT = """
(function () {
  'use strict';
  var all = function (where, what) { return Array.prototype.slice.call(where.querySelectorAll(what)); };
  all(document, '.tools').forEach(function (one) { one.hidden = false; });

  var panel = document.getElementById('panel'), pinned = false;
  function show(link) {
    var row = document.getElementById(link.hash.slice(1));
    if (!panel || !row || row.tagName !== 'TR') { return false; }
    var inside = panel.querySelector('div'), head = row.closest('table').tHead.rows[0].cells;
    inside.textContent = '';
    Array.prototype.forEach.call(row.cells, function (cell, n) {
      var line = document.createElement(n ? 'div' : 'h3');
      if (n && head[n] && cell.textContent) {
        var label = document.createElement('span');
        label.className = 'soft'; label.textContent = head[n].textContent + ': ';
        line.appendChild(label);
      }
      Array.prototype.forEach.call(cell.childNodes, function (child) { line.appendChild(child.cloneNode(true)); });
      inside.appendChild(line);
    });
    all(inside, '[id]').forEach(function (one) { one.removeAttribute('id'); });
    all(inside, 'details').forEach(function (one) { one.open = true; });
    panel.hidden = false;
    return true;
  }
  function isVariable(target) { return target.closest && target.closest('.src a:not(.tag)'); }
  function look(event) {
    var link = isVariable(event.target);
    if (link && !pinned) { show(link); }
  }
  if (panel) {
    document.addEventListener('mouseover', look);
    document.addEventListener('focusin', look);
    document.addEventListener('click', function (event) {
      var link = isVariable(event.target);
      if (link && show(link)) { pinned = true; event.preventDefault(); }
    });
    var close = function () { panel.hidden = true; pinned = false; };
    panel.querySelector('button').addEventListener('click', close);
    document.addEventListener('keydown', function (event) { if (event.key === 'Escape') { close(); } });
  }

  function value(one) { var v = parseFloat(one); return isNaN(v) ? -1 : v; }
  all(document, '.calls').forEach(function (section) {
    var items = all(section, 'li');
    function sort(key) {
      var lists = all(section, 'ul');
      lists.forEach(function (list) {
        Array.prototype.slice.call(list.children).sort(function (a, b) {
          return key === 'bytes' ? value(b.dataset.bytes) - value(a.dataset.bytes) || a.dataset.place - b.dataset.place
            : a.dataset.place - b.dataset.place;
        }).forEach(function (item) { list.appendChild(item); });
      });
    }
    all(section, 'button[data-sort]').forEach(function (button) {
      button.addEventListener('click', function () {
        sort(button.dataset.sort);
        all(section, 'button[data-sort]').forEach(function (one) {
          one.setAttribute('aria-pressed', one === button ? 'true' : 'false');
        });
      });
    });
    all(section, 'button[data-open]').forEach(function (button) {
      button.addEventListener('click', function () {
        all(section, 'details').forEach(function (one) { one.open = button.dataset.open === 'yes'; });
      });
    });
    var search = section.querySelector('input[type=search]'), said = section.querySelector('output');
    if (search) {
      search.addEventListener('input', function () {
        var wanted = search.value.toLowerCase(), found = 0;
        items.forEach(function (item) {
          var inside = item.textContent.toLowerCase().indexOf(wanted) >= 0;
          item.hidden = !inside;
          var own = item.querySelector('.what');
          if (wanted && own && own.textContent.toLowerCase().indexOf(wanted) >= 0) { found += 1; }
          if (wanted && inside) { var d = item.querySelector('details'); if (d) { d.open = true; } }
        });
        said.textContent = wanted ? found + ' found' : '';
      });
    }
  });

  all(document, 'table.sorts').forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var down = true;
      function sort() {
        var body = table.tBodies[0];
        Array.prototype.slice.call(body.rows).sort(function (a, b) {
          var x = a.cells[column].textContent, y = b.cells[column].textContent;
          var m = parseFloat(x.replace(/,/g, '')), n = parseFloat(y.replace(/,/g, ''));
          var order = isNaN(m) || isNaN(n) ? x.localeCompare(y) : n - m;
          return down ? order : -order;
        }).forEach(function (row) { body.appendChild(row); });
        down = !down;
      }
      head.tabIndex = 0;
      head.addEventListener('click', sort);
      head.addEventListener('keydown', function (event) { if (event.key === 'Enter') { sort(); } });
    });
  });
}());
"""
