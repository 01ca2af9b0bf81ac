/**
 * The script that renders the document in the data as a tree of nodes, which tests can read without a browser. It shows the same as `reportHtml`,
 * with all rows of long lists, and records every figure with its parts. A node is a text, or a tag with a class, children and attributes.
 */
export const RENDER_SCRIPT = String.raw`
/* Until data are read, and where they cannot be, it is the first notation. */
var notation = { days: 'dmy', decimal: '.', groups: ',', lakhs: false, paper: 'A4' };
function grouped(digits) {
  var groups = [], end = digits.length;
  for (var size = 3; end > size; size = notation.lakhs ? 2 : 3) {
    groups.unshift(digits.slice(end - size, end));
    end -= size;
  }
  return [digits.slice(0, end)].concat(groups).join(notation.groups);
}
function amountText(amount, places) {
  var value = BigInt(amount);
  var digits = String(value < 0n ? -value : value);
  while (digits.length < places + 1) digits = '0' + digits;
  var whole = grouped(digits.slice(0, digits.length - places));
  return (value < 0n ? '\u2212' : '') + whole + (places === 0 ? '' : notation.decimal + digits.slice(digits.length - places));
}
function isoOf(day) {
  return new Date(day * 86400000).toISOString().slice(0, 10);
}
function dayText(iso) {
  var parts = iso.split('-');
  return notation.days === 'ymd' ? iso : (notation.days === 'mdy' ? [parts[1], parts[2], parts[0]] : [parts[2], parts[1], parts[0]]).join('/');
}
function yearlessDayText(iso) {
  return notation.days === 'ymd' ? iso.slice(5) : dayText(iso).slice(0, 5);
}
function momentText(moment) {
  return dayText(moment.split('T')[0]) + ' ' + moment.split('T')[1].slice(0, 5);
}
function inFours(hash) {
  return String(hash).replace(/(.{4})(?=.)/g, '$1 ');
}
function shortHash(hash) {
  return inFours(String(hash).slice(0, 16));
}
function begun(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
function h(tag, name, kids, attributes) {
  return { tag: tag, name: name, kids: [].concat(kids || []), attributes: attributes || {} };
}
function writerOf(identity) {
  var list = [], byName = new Map(), waiting = [];
  return {
    list: list,
    places: identity.decimalPlaces,
    write: function (value, kind, named, parts, text) {
      var figure = { value: value, text: text || amountText(value, kind === 'count' ? 0 : identity.decimalPlaces), name: (named && named.name) || null, adds: parts || null };
      var place = list.push(figure) - 1;
      if (figure.name !== null && !byName.has(figure.name)) byName.set(figure.name, place);
      if (named && Array.isArray(named.adds) && !parts) waiting.push([figure, named.adds]);
      var node = h('span', 'f', figure.text);
      node.place = place;
      return node;
    },
    resolve: function () {
      waiting.forEach(function (each) {
        var places = [];
        each[1].forEach(function (name) {
          var place = byName.get(name.replace(/^-/, ''));
          if (place !== undefined) places.push(name.charAt(0) === '-' ? -1 - place : place);
        });
        if (places.length === each[1].length) each[0].adds = places;
      });
    }
  };
}
function hashOrText(text) {
  return /^[0-9a-f]{64}$/.test(text) ? h('span', 'hash', inFours(text)) : text;
}
function isFigure(column) {
  return column.kind === 'amount' || column.kind === 'count';
}
function widths(table) {
  var box = table.hasBoxes ? [14] : [];
  var weights = box.concat(table.columns.map(function (column) { return column.weight; }));
  var sum = weights.reduce(function (total, each) { return total + each; }, 0);
  return h('colgroup', '', weights.map(function (each) { return h('col', '', [], { width: Math.round((each / sum) * 1e4) / 100 + '%' }); }));
}
function headOf(table) {
  var cells = table.columns.map(function (column) {
    return h('th', isFigure(column) ? 'n' : '', [column.title].concat(column.second === null ? [] : h('small', '', column.second)), { scope: 'col' });
  });
  return h('thead', '', h('tr', '', (table.hasBoxes ? [h('th', '', '\u2713', { scope: 'col', 'aria-label': 'Ticked' })] : []).concat(cells)));
}
function cellOf(writer, row, column, at, places) {
  var value = row.cells[at] === undefined ? null : row.cells[at];
  var second = row.second ? row.second[at] : null;
  var below = second ? [h('small', '', hashOrText(second))] : [];
  if (value === null) return h('td', isFigure(column) ? 'n' : '', below);
  if (typeof value === 'string') return h('td', column.kind === 'hash' ? 'hash' : isFigure(column) ? 'n q' : '', [hashOrText(value)].concat(below));
  if (column.kind === 'day') return h('td', 'nb', [dayText(isoOf(value))].concat(below));
  places[at].push(writer.list.length);
  var isNumber = column.title === 'No.' || column.title === 'Record';
  var text = value === 0 && column.title === 'Difference' ? '\u2013' : isNumber ? String(value) : '';
  return h('td', 'n', [writer.write(value, column.kind, row.named && row.named[at], null, text)].concat(below));
}
function rowOf(writer, row, table, places, isLast) {
  var box = table.hasBoxes ? [h('td', '', row.isContinued ? [] : h('span', 'box'))] : [];
  return h('tr', isLast ? '' : 'r', box.concat(table.columns.map(function (column, at) { return cellOf(writer, row, column, at, places); })));
}
function totalRow(writer, total, table, places) {
  var first = total.cells.reduce(function (least, cell) { return Math.min(least, cell.column); }, table.columns.length);
  var span = first + (table.hasBoxes ? 1 : 0);
  var cells = table.columns.slice(first).map(function (column, index) {
    var cell = total.cells.filter(function (each) { return each.column === first + index; })[0];
    if (cell === undefined) return h('td', '');
    var parts = cell.adds === 'group' || cell.adds === 'table' ? places[cell.column].slice() : null;
    return h('td', 'n', h('span', total.isFinal ? 's2' : 's1', writer.write(cell.value, column.kind, cell, parts)));
  });
  return h('tr', total.isFinal ? 'tot' : 'tot sub', (span === 0 ? [] : [h('td', '', total.label, { colspan: span })]).concat(cells));
}
function groupBody(writer, group, table, all) {
  var places = table.columns.map(function () { return []; });
  var number = group.number === null ? [] : [h('span', 'k', group.number)];
  var remark = group.remark === null ? [] : [h('span', 'q', ', ' + group.remark)];
  var title = group.title === null ? [] : [h('tr', 'gh', h('td', '', number.concat(group.title, remark), { colspan: table.columns.length + (table.hasBoxes ? 1 : 0) }))];
  var rows = group.rows.map(function (row, index) {
    var next = group.rows[index + 1];
    return rowOf(writer, row, table, places, next === undefined || next.isContinued);
  });
  var totals = group.totals.map(function (total) { return totalRow(writer, total, table, places); });
  places.forEach(function (found, at) { found.forEach(function (place) { all[at].push(place); }); });
  return h('tbody', '', title.concat(rows, totals));
}
function tableOf(writer, table) {
  var title = table.title === null ? [] : [h('h3', '', table.title)];
  if (table.groups.every(function (group) { return group.rows.length === 0; })) return title.concat(h('p', 'none', table.whenEmpty));
  var all = table.columns.map(function () { return []; });
  var groups = table.groups.map(function (group) { return groupBody(writer, group, table, all); });
  var totals = table.totals.map(function (total) { return totalRow(writer, total, table, all); });
  return title.concat(h('table', '', [widths(table), headOf(table)].concat(groups, totals.length === 0 ? [] : h('tbody', 'tt', totals))));
}
function factsOf(facts) {
  var rows = [];
  facts.rows.forEach(function (row) { rows.push(h('dt', '', row.name), h('dd', row.isHash ? 'hash' : '', row.value)); });
  return (facts.title === null ? [] : [h('h3', '', facts.title)]).concat(h('dl', 'kv', rows));
}
function figureOf(writer, row, parts) {
  return row.amount === null ? h('span', 'q', row.unknown) : writer.write(row.amount, 'amount', row, parts);
}
function noteOf(note) {
  return h('a', 'note', note, { href: '#s' + note.split('.')[0] });
}
function rowText(row) {
  return row.note === null ? row.label : row.label + ' (' + row.note + ')';
}
function statementGroup(writer, group) {
  var parts = [];
  var rows = group.lines.map(function (line, index) {
    parts.push(writer.list.length);
    var isLast = index === group.lines.length - 1;
    var figure = writer.write(line.amount, 'amount', null);
    var date = line.date === null ? '' : yearlessDayText(line.date);
    var sum = isLast ? [figureOf(writer, group, parts)] : [];
    return h('tr', 'l', [h('td', '', h('div', '', [h('span', 'dt', date), h('span', '', rowText(line))])), h('td', 'n', isLast ? h('span', 'u1', figure) : figure), h('td', 'n', sum)]);
  });
  return [h('tr', 'g', [h('td', '', [group.label, noteOf(group.section)], { colspan: 2 }), h('td', '')])].concat(rows);
}
function sideOf(writer, side) {
  var cols = function () { return h('colgroup', '', [h('col', ''), h('col', 'n1'), h('col', 'n2')]); };
  var rows = [h('tr', 'g', [h('td', '', [rowText(side.balance), noteOf('7')], { colspan: 2 }), h('td', 'n', figureOf(writer, side.balance))])];
  side.groups.forEach(function (group) { rows = rows.concat(statementGroup(writer, group)); });
  var last = h('tr', 'adj', [h('td', '', side.adjusted.label, { colspan: 2 }), h('td', 'n', h('span', 's2', figureOf(writer, side.adjusted)))]);
  var heading = h('div', 'hd', [h('b', '', side.title), h('span', 'q', side.account)]);
  return h('div', '', [heading, h('table', '', [cols(), h('tbody', '', rows)]), h('span', 'fill'), h('table', '', [cols(), h('tbody', '', last)])]);
}
function statementOf(writer, doc) {
  var sides = h('div', 'stm', doc.sides.map(function (side) { return sideOf(writer, side); }));
  var verdict = doc.why === null ? doc.verdict : doc.verdict + ' ' + doc.why;
  var said = [rowText(doc.unexplained) + '.', doc.undone, doc.reason].filter(function (text) { return text !== null; }).join(' ');
  var value = h('b', 'v', h('span', 'd2', figureOf(writer, doc.unexplained)));
  return [sides, h('div', doc.outcome === 'agree' ? 'prf' : 'prf no', [h('b', '', verdict), h('span', '', said), value])];
}
function signaturesOf(block) {
  var boxes = block.signers.map(function (signer) {
    var facts = [h('dt', '', 'Name'), h('dd', 'b', signer.name || ''), h('dt', '', 'In Tieout'), h('dd', '', signer.at || 'Not yet'), h('dt', '', 'Figures'), h('dd', 'hash', signer.figures || '\u2013')];
    return h('div', 'c', [h('h3', '', signer.title), h('dl', '', facts), h('div', 'ink', [h('span', '', 'Signature'), h('span', '', 'Date')])]);
  });
  var notes = h('div', 'notes', [h('h3', '', 'Reviewer\u2019s notes'), h('i', ''), h('i', '')]);
  var said = h('p', 'say', [h('b', '', 'What the reviewer signs:'), ' ' + block.statement]);
  return [h('div', 'sign', [notes, said, h('div', 'two', boxes), h('p', 'foot', block.remark)])];
}
function blockOf(writer, block) {
  if (block.kind === 'statement') return statementOf(writer, block.statement);
  if (block.kind === 'table') return [h('div', 'blk', tableOf(writer, block))];
  if (block.kind === 'facts') return [h('div', 'blk', factsOf(block))];
  if (block.kind === 'signatures') return signaturesOf(block);
  if (block.kind === 'pair') return [h('div', 'two blk', block.blocks.map(function (each) { return h('div', '', each.kind === 'table' ? tableOf(writer, each) : factsOf(each)); }))];
  if (block.kind !== 'sentences') throw new Error('a block of an unknown kind');
  return block.items.map(function (item) { return h('p', 'say', item.lead === null ? item.text : [h('b', '', item.lead), ' ' + item.text]); });
}
function sectionOf(writer, section) {
  var heading = section.number === null ? [] : [h('h2', '', [h('span', 'k', section.number), section.heading].concat(section.remark === null ? [] : h('small', '', section.remark)))];
  section.blocks.forEach(function (block) { heading = heading.concat(blockOf(writer, block)); });
  return h('section', 'sec', heading, { id: 's' + (section.number || '0') });
}
function isDraft(identity) {
  return identity.state !== 'closed' || identity.isStale;
}
function titleOf(doc) {
  var of = doc.identity;
  var facts = [
    ['Reconciliation', of.bookName === null ? of.reconciliation : of.reconciliation + ', ' + of.bookName],
    ['Account', of.accountNumber === null ? of.account : of.account + ', ' + of.accountNumber],
    ['Sources', of.sources.join('; ')], ['Period', of.days + ', ' + of.currency], ['Prepared by', of.preparedBy || 'not prepared yet'],
    ['State', of.state + (of.isStale ? ', changed since it was signed' : '')]
  ];
  var list = [];
  facts.forEach(function (fact) { list.push(h('dt', '', fact[0]), h('dd', '', fact[1])); });
  var flag = isDraft(of) ? [h('span', 'flag', of.isStale ? 'CHANGED' : 'DRAFT')] : [];
  return h('header', 'ttl', [h('div', '', [h('h1', '', [doc.sections[0].heading].concat(flag)), h('p', '', doc.subtitle)]), h('dl', '', list)]);
}
function reportOf(data) {
  var doc = data.document;
  var writer = writerOf(doc.identity);
  var sections = doc.sections.map(function (section) { return sectionOf(writer, section); });
  writer.resolve();
  var warnings = doc.warnings.length === 0 ? [] : [h('div', 'warn', doc.warnings.map(function (text) { return h('p', '', [h('b', '', '!'), ' ' + text]); }), { role: 'note' })];
  var first = h('div', 'p1', [titleOf(doc)].concat(warnings, sections[0]));
  return { figures: writer.list, tree: h('main', '', [first].concat(sections.slice(1)), { id: 'report' }) };
}
function cssString(text) {
  return '"' + text.replace(/[^\p{L}\p{N} .,:/-]/gu, function (found) { return '\\' + found.codePointAt(0).toString(16) + ' '; }) + '"';
}
function cut(text) {
  var letters = Array.from(text);
  return letters.length <= 46 ? text : letters.slice(0, 45).join('') + '\u2026';
}
function marginsOf(of) {
  var state = of.isStale ? '\u25c6 CHANGED SINCE SIGNED' : of.state === 'closed' ? '\u25a0 CLOSED' : of.state === 'open' ? '\u25a1 DRAFT' : '\u25a1 DRAFT, ' + of.state.toUpperCase();
  return {
    'top-left': [cut(of.bookName === null ? 'Tieout' : of.bookName), cut(of.reconciliation)],
    'top-center': [of.accountNumber === null ? cut(of.account) : cut(of.account) + '  ' + cut(of.accountNumber), of.days + ', ' + of.currency],
    'top-right': [state, of.preparedBy === null ? 'Not prepared' : 'Prepared by ' + cut(of.preparedBy)],
    'bottom-left': [of.sources.map(cut).join('    '), 'Fingerprint ' + of.fingerprint + '    Contents ' + of.contents]
  };
}
function pageRule(rule, identity) {
  var texts = marginsOf(identity);
  return rule.replace('%paper%', identity.notation.paper).replace(/%([a-z]+-[a-z]+)%/g, function (_, place) { return texts[place].map(cssString).join('"\\A"'); });
}
`;
