import { createHash } from 'node:crypto';
import { phrase } from '../../../src-shared/words/say.ts';
import type { CloseReport } from './close-report.ts';
import { documentOf } from './document-of.ts';
import type { Document } from './document.ts';
import { RENDER_SCRIPT } from './render-script.ts';
import { canonicalJson, reportData } from './report-data.ts';
import { PAGE_RULE, PLAIN_STYLE } from './report-style.ts';

/**
 * The script that checks the page as the browser parsed it, and shows the data in a new, empty page. It runs before the browser reads anything after
 * it, and turns the rest of the file into plain text, so that no other script can act. Until the page is new it takes every function from its
 * prototype, because an element can have the name of a function and hide it.
 */
export const PAGE_SCRIPT = String.raw`
function read(kind, name, of) {
  return Object.getOwnPropertyDescriptor(kind.prototype, name).get.call(of);
}
function base64Of(hash) {
  return btoa(hash.replace(/../g, function (pair) { return String.fromCharCode(parseInt(pair, 16)); }));
}
function pageMarkup(raw, own) {
  var policy = PARTS.policy.replace('%script%', base64Of(sha256OfText(own))).replace('%style%', base64Of(sha256OfText(STYLE)));
  return '<html><head>' + PARTS.head.replace('%policy%', policy) + '</head><body>' + PARTS.body.replace('%hash%', sha256OfText(raw)) + raw + '<\/script><script>' + own + '<\/script></body></html>';
}
function look() {
  var block = Document.prototype.querySelector.call(document, 'script[type="application/json"]');
  var kind = read(Document, 'doctype', document);
  var isHtml = kind !== null && kind.name === 'html' && kind.publicId === '' && kind.systemId === '';
  return {
    own: read(Node, 'textContent', read(Document, 'currentScript', document)),
    markup: read(Element, 'outerHTML', read(Document, 'documentElement', document)),
    raw: block === null ? '' : read(Node, 'textContent', block),
    stated: block === null ? 'none' : Element.prototype.getAttribute.call(block, 'data-sha256'),
    isAlone: window.top === window.self,
    isPlain: isHtml && read(Document, 'compatMode', document) === 'CSS1Compat' && read(NodeList, 'length', read(Node, 'childNodes', document)) === 2,
    rest: ''
  };
}
var seen = look();
Document.prototype.write.call(document, '<plaintext>');
function behind() {
  var all = Document.prototype.querySelectorAll.call(document, 'plaintext');
  return all.length === 1 ? read(Node, 'textContent', all[0]) : 'no end';
}
function build(node) {
  if (typeof node !== 'object') return document.createTextNode(String(node).replace(/(?![\t\n])[\u0000-\u001f\u007f-\u009f]/g, '\ufffd'));
  var made = document.createElement(node.tag);
  if (node.name) made.className = node.name;
  Object.keys(node.attributes).forEach(function (name) { made.setAttribute(name, node.attributes[name]); });
  if (node.place !== undefined) shownFigures[node.place] = made;
  node.kids.forEach(function (kid) { made.appendChild(build(kid)); });
  return made;
}
var shownFigures = [];
var WORDS = {
  'Figures re-added': 'Every total from its parts.',
  'Statement from its lines': 'Balances, groups and adjusted balances, worked out anew.',
  'Audit chain': 'Each entry has its hash and follows from the one before.',
  'Signed figures': 'Lines, matches and balances are those that were signed.',
  'Sign-offs': 'Names, times and reasons are those of the audit log.',
  'Contents': 'Must be the contents at the foot of the signed print.',
  'Source files': 'Each is the file that was imported.',
  'Data': 'Not one byte is different.',
  'Page': 'It holds its data and this check, and nothing else.'
};
function checkNode(result) {
  var isRight = result.faults.length === 0;
  var value = result.value && isRight ? result.value : grouped(String(result.held)) + ' of ' + grouped(String(result.of));
  var texts = isRight ? [WORDS[result.title] || ''] : result.faults.slice(0, 3).map(function (fault) { return begun(fault) + '.'; });
  if (result.faults.length > 3) texts.push('And ' + grouped(String(result.faults.length - 3)) + ' more.');
  var parts = [h('i', isRight ? 'mk g' : 'mk x'), h('b', '', result.title), h('span', 'v', value)];
  return h('div', isRight ? 'ck' : 'ck bad', parts.concat(texts.map(function (text) { return h('p', '', text); })));
}
/* What names a line says more than what names a figure, and that more than a hash. */
var TELLING = ['Sign-offs', 'Signed figures', 'Audit chain', 'Figures re-added', 'Statement from its lines', 'Page', 'Reading', 'Contents', 'Source files', 'Data'];
function verdictOf(checks, data) {
  var wrong = checks.filter(function (each) { return each.faults.length > 0; });
  var of = function (title) { return grouped(String((checks.filter(function (each) { return each.title === title; })[0] || { of: 0 }).of)); };
  if (wrong.length === 0) return {
    isRight: true,
    title: 'All ' + of('Figures re-added') + ' figures re-added, ' + grouped(String(data.records.length)) + ' lines and ' + of('Audit chain') + ' entries of the audit chain checked in this browser just now',
    detail: 'Nothing in this pack was changed after it was made. It is the one that was signed if fingerprint and contents are those on the print.'
  };
  wrong.sort(function (left, right) { return TELLING.indexOf(left.title) - TELLING.indexOf(right.title); });
  return {
    isRight: false,
    title: 'This pack was changed after it was made: ' + wrong[0].faults[0],
    detail: wrong.map(function (each) { return each.title + ' ' + grouped(String(each.held)) + ' of ' + grouped(String(each.of)); }).join(', ') + '. Do not rely on any figure in this page.'
  };
}
/* A draft, or what changed since it was signed, is no proof yet, so its banner has no tick. */
function bannerNode(verdict, isSigned) {
  var words = h('div', '', [h('p', '', verdict.title, { id: 'verdict' }), h('small', '', verdict.detail, { id: 'detail' })]);
  return h('div', isSigned ? 'ban' : 'ban d', [h('span', 'm', verdict.isRight && isSigned ? '\u2713' : '!'), words, h('button', '', 'Check again', { id: 'again', type: 'button' })], { role: 'status' });
}
function barNode(doc, isRight) {
  var of = doc.identity;
  var badge = isRight ? h('span', isDraft(of) ? 'badge d' : 'badge', begun(of.state) + (of.isStale ? ', changed since' : '')) : h('span', 'badge x', 'Not as it was made');
  var account = (of.accountNumber === null ? of.account : of.account + ' ' + of.accountNumber) + ', ' + of.currency;
  return h('div', 'bar', [h('b', '', doc.title), badge, h('span', 'q', account), h('button', '', 'Print', { id: 'print', type: 'button' })]);
}
function contentsNode(doc) {
  return h('nav', 'toc', doc.sections.map(function (section) {
    var count = section.count === null ? [] : [h('span', 'n', section.count)];
    return h('a', '', [h('span', 'k', section.number || ''), section.name].concat(count), { href: '#s' + (section.number || '0') });
  }), { 'aria-label': 'Sections' });
}
/* The kept files, to be saved. A file that is not the one that was imported is not offered. */
function filesNodes(files, isRight) {
  if (files.length === 0) return [h('div', 'ck', [h('i', 'mk o'), h('b', '', 'Source files'), h('span', 'v', 'not in this page')])];
  if (!isRight) return [];
  return files.map(function (file, place) {
    if (file.content === null) return h('div', 'ck', [h('i', 'mk o'), h('b', '', file.name), h('span', 'v', 'not in this page: ' + file.absent)]);
    return h('div', 'ck', [h('i', 'mk o'), h('b', '', file.name), h('button', '', 'Save', { type: 'button', 'data-file': String(place), 'aria-label': 'Save ' + file.name })]);
  });
}
function save(file) {
  var link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytesOf(file.content)], { type: 'application/octet-stream' }));
  link.download = file.name;
  link.click();
}
function sideNode(checks, files, isRight) {
  var by = function (title) { return checks.filter(function (each) { return each.title === title; })[0] || {}; };
  var head = by('Audit chain').last;
  var print = by('Sign-offs').print || 'none';
  var value = function (title, id, text, words) { return h('div', 'ck', [h('i', 'mk o'), h('b', '', title), h('code', 'v hash', text, { id: id }), h('p', '', words)]); };
  var compare = h('div', 'cmp', [h('label', '', [h('b', '', 'Compare a file'), h('br', ''), 'Choose a file or drop it here', h('input', '', [], { type: 'file', id: 'file', 'aria-label': 'Compare a file' })]), h('p', '', '', { id: 'compared', role: 'status' })], { id: 'compare' });
  var last = isRight ? 'Green means that this page agrees with itself. Whether it is the one that was signed, only the paper can tell: compare fingerprint and contents. This page opens no connection.'
    : 'Do not rely on any figure in this page, marked or not. It opens no connection.';
  return h('aside', 'chk', [
    h('h2', '', 'Checked in this browser'), h('div', '', checks.slice(1).concat(checks[0]).map(checkNode), { id: 'checks' }),
    value('Fingerprint', 'fingerprint', print, 'Must be the fingerprint at the foot of the signed print.'),
    value('Head', 'head', head ? shortHash(head[8]) : 'none', 'Must be the head in section 10 of the signed print.'),
  ].concat(filesNodes(files, isRight), [compare, h('p', 'last', last)]), { 'aria-label': 'Checks' });
}
function compare(file, data) {
  var reader = new FileReader();
  reader.onload = function () {
    var hash = sha256(new Uint8Array(reader.result));
    var same = ((data && data.covered) || []).filter(function (row) { return row[0] === 'import' && JSON.parse(row[2]).content_hash === hash; })[0];
    document.getElementById('compared').textContent = same ? '\u2713 ' + file.name + ' is the file that was imported as ' + JSON.parse(same[2]).name + '.'
      : '\u25c6 ' + file.name + ' is none of the files of section 7. Its SHA-256 is ' + hash + '.';
    watch.takeRecords();
  };
  reader.readAsArrayBuffer(file);
}
function listen(data) {
  var file = document.getElementById('file'), drop = document.getElementById('compare'), print = document.getElementById('print');
  file.addEventListener('change', function () { if (file.files[0]) compare(file.files[0], data); });
  drop.addEventListener('dragover', function (event) { event.preventDefault(); });
  drop.addEventListener('drop', function (event) {
    event.preventDefault();
    if (event.dataTransfer.files[0]) compare(event.dataTransfer.files[0], data);
  });
  document.querySelectorAll('[data-file]').forEach(function (button) {
    button.addEventListener('click', function () { save(data.files[Number(button.getAttribute('data-file'))]); });
  });
  document.getElementById('again').addEventListener('click', function () { show(); });
  if (print) print.addEventListener('click', function () { window.print(); });
}
function mark(checks) {
  checks.forEach(function (each) {
    (each.changed || []).forEach(function (place) {
      if (!shownFigures[place]) return;
      shownFigures[place].classList.add('ch');
      var section = shownFigures[place].closest('section');
      var link = section && document.querySelector('.toc a[href="#' + section.id + '"]');
      if (link) link.classList.add('bad');
    });
  });
}
/* The whole page is made of new elements: nothing of the file stays in it. */
function show() {
  watch.disconnect();
  shownFigures = [];
  var found = allChecks(seen);
  var verdict = verdictOf(found.checks, found.data);
  var main = found.report === null ? h('main', '', 'Nothing can be shown of this pack.', { id: 'report' }) : found.report.tree;
  var top = h('div', 'hid', [bannerNode(verdict, found.report !== null && !isDraft(found.data.document.identity))].concat(found.report === null ? [] : barNode(found.data.document, verdict.isRight)));
  var lay = h('div', 'lay', [found.report === null ? h('nav', 'toc') : contentsNode(found.data.document), h('div', 'doc', main), sideNode(found.checks, (found.data && found.data.files) || [], verdict.isRight)]);
  var title = (verdict.isRight ? '' : 'Changed: ') + (found.report === null ? 'Close pack' : found.data.document.title + ', close pack');
  var page = h('html', '', [h('head', '', [h('title', '', title), h('meta', '', [], { name: 'viewport', content: 'width=device-width,initial-scale=1' }), h('style', '', STYLE)]), h('body', '', [top, lay])]);
  page.attributes = { lang: 'en', 'data-paper': notation.paper, 'data-checked': verdict.isRight ? 'good' : 'bad' };
  Node.prototype.replaceChild.call(document, build(page), read(Document, 'documentElement', document));
  var sheet = document.querySelector('style').sheet;
  if (sheet !== null && found.report !== null) sheet.insertRule(pageRule(PAGE_RULE, found.data.document.identity), 0);
  mark(found.checks);
  listen(found.data);
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}
/* Also what changes the page while it is open is shown, such as an extension of the browser. */
var watch = new MutationObserver(function () {
  watch.disconnect();
  document.documentElement.setAttribute('data-checked', 'bad');
  document.querySelector('.ban .m').textContent = '!';
  document.getElementById('verdict').textContent = 'Something changed this page while it was open: check again, without extensions of the browser';
  document.getElementById('detail').textContent = 'Do not rely on any figure in this page until then.';
});
EventTarget.prototype.addEventListener.call(document, 'DOMContentLoaded', function () {
  seen.rest = behind();
  show();
});
`;

/**
 * The script of the checks that a pack makes of itself. Each check returns how many things it looked at, how many hold, and a sentence on each that
 * does not. Sums are exact by BigInt, because amounts may be as large as a number holds.
 */
const CHECKS_SCRIPT = String.raw`
function check(title) {
  return {
    title: title, of: 0, held: 0, faults: [],
    hold: function (isRight, fault) {
      this.of += 1;
      if (isRight) this.held += 1;
      else this.faults.push(fault);
    }
  };
}
function lineName(record) {
  return (record[4] || record[5] || 'a line without text') + ', ' + dayText(record[2]);
}
function checkData(raw, stated) {
  var result = check('Data');
  var found = sha256OfText(raw);
  result.hold(found === stated, 'the data has the hash ' + shortHash(found) + ' and was made with ' + shortHash(stated));
  result.value = shortHash(found);
  return result;
}
/* The page as the browser read it before anything was shown. It holds nothing but what this script expects, and the one policy under which only this script runs. */
function checkPage(seen) {
  var result = check('Page');
  result.hold(seen.isAlone, 'it stands within another page: open the file itself');
  var expected = pageMarkup(seen.raw, seen.own);
  var isRight = expected === seen.markup;
  var at = 0;
  while (!isRight && at < expected.length && expected.charAt(at) === seen.markup.charAt(at)) at += 1;
  var there = seen.markup.slice(Math.max(0, at - 20), at + 60).replace(/\s+/g, ' ');
  result.hold(isRight, 'the page holds something that does not belong to it, near \u201c' + there + '\u201d');
  result.hold(seen.isPlain, 'something stands in front of the page');
  result.hold(seen.rest === '\n', 'something stands behind the page: \u201c' + seen.rest.slice(0, 80).replace(/\s+/g, ' ') + '\u201d');
  return result;
}
function bytesOf(content) {
  return Uint8Array.from(atob(content), function (letter) { return letter.charCodeAt(0); });
}
/* The files that were kept with the imports: each must have the hash of an imported file. */
function checkFiles(data) {
  var result = check('Source files');
  var known = new Set(data.covered.filter(function (row) { return row[0] === 'import'; }).map(function (row) { return JSON.parse(row[2]).content_hash; }));
  data.files.forEach(function (file) {
    if (file.content !== null) result.hold(known.has(file.sha256) && sha256(bytesOf(file.content)) === file.sha256, 'the file ' + file.name + ' is not the one that was imported');
  });
  return result;
}
function checkContents(data) {
  var result = check('Contents');
  var of = data.document.identity;
  var identity = Object.assign({}, of);
  delete identity.contents;
  var rest = Object.assign({}, data, { document: Object.assign({}, data.document, { identity: identity }) });
  /* A print has no files: with and without them its contents are the same. */
  delete rest.files;
  var found = shortHash(sha256OfText(JSON.stringify(rest)));
  result.hold(found === of.contents, 'its contents have the hash ' + found + ' and were made with ' + of.contents);
  result.value = found;
  return result;
}
function checkFigures(data, figures) {
  var result = check('Figures re-added');
  result.changed = [];
  figures.forEach(function (figure, place) {
    var fault = null;
    if (figure.adds !== null) {
      var sum = figure.adds.reduce(function (total, each) {
        return each < 0 ? total - BigInt(figures[-1 - each].value) : total + BigInt(figures[each].value);
      }, 0n);
      if (sum !== BigInt(figure.value)) fault = (figure.name || 'a total').replace(/_/g, ' ') + ' is stated as ' + figure.text + ', and its parts come to ' + sum;
    }
    result.hold(fault === null, fault);
    if (fault !== null) result.changed.push(place);
  });
  return result;
}
function namedFigures(figures) {
  var named = {};
  figures.forEach(function (figure, place) {
    if (figure.name !== null) (named[figure.name] = named[figure.name] || []).push(place);
  });
  return named;
}
function reAdded(data) {
  var zero = function () { return { bank: 0n, books: 0n }; };
  var receipts = zero(), payments = zero(), byId = new Map(), isCleared = new Set(), groups = {};
  data.records.forEach(function (record) {
    byId.set(record[0], record);
    if (record[2] < data.period.from) return;
    var sum = record[3] < 0 ? payments : receipts;
    sum[record[1]] += BigInt(record[3]);
  });
  var add = function (name, amount) { groups[name] = (groups[name] || 0n) + amount; };
  data.matches.forEach(function (match) {
    var difference = 0n;
    match[2].forEach(function (id) {
      var record = byId.get(id);
      if (record === undefined) return;
      isCleared.add(id);
      difference += record[1] === 'bank' ? BigInt(record[3]) : -BigInt(record[3]);
    });
    if (match[1] === 'bank_error') add('bank_errors', -difference);
    else add('match_differences', difference);
  });
  data.open_items.forEach(function (item) {
    var record = byId.get(item[0]);
    if (record === undefined) return;
    var isError = item[1] === 'bank_errors' || item[1] === 'book_errors';
    add(item[1], isError ? -BigInt(record[3]) : BigInt(record[3]));
  });
  var closing = {}, missing = {};
  ['bank', 'books'].forEach(function (side) {
    var balance = data.balances[side];
    var computed = balance.opening === null ? null : BigInt(balance.opening) + receipts[side] + payments[side];
    var stated = balance.stated_closing === null ? null : BigInt(balance.stated_closing);
    closing[side] = stated === null ? computed : stated;
    missing[side] = stated === null || computed === null ? null : stated - computed;
  });
  var sum = function (from, names) {
    return from === null ? null : names.reduce(function (total, name) { return total + (groups[name] || 0n); }, from);
  };
  var bank = sum(closing.bank, ['deposits_in_transit', 'outstanding_payments', 'bank_errors']);
  var books = sum(closing.books, ['unbooked_receipts', 'unbooked_payments', 'match_differences', 'book_errors']);
  var figures = {
    closing_bank: closing.bank, closing_books: closing.books,
    lines_missing_bank: missing.bank, lines_missing_books: missing.books, receipts_bank: receipts.bank, receipts_books: receipts.books,
    payments_bank: payments.bank, payments_books: payments.books, adjusted_bank: bank, adjusted_books: books,
    unexplained: bank === null || books === null ? null : bank - books,
    raw_difference: closing.bank === null || closing.books === null ? null : closing.bank - closing.books
  };
  Object.keys(groups).forEach(function (name) { figures[name] = groups[name]; });
  return { figures: figures, byId: byId, isCleared: isCleared };
}
function checkLines(data, again, figures) {
  var result = check('Statement from its lines');
  result.changed = [];
  var named = namedFigures(figures);
  Object.keys(again.figures).forEach(function (name) {
    var value = again.figures[name];
    (named[name] || []).forEach(function (place) {
      var written = figures[place].text;
      var isRight = value !== null && BigInt(figures[place].value) === value;
      var come = value === null ? 'nothing' : amountText(value, data.decimal_places);
      result.hold(isRight, name.replace(/_/g, ' ') + ' is stated as ' + written + ', and its lines come to ' + come);
      if (!isRight) result.changed.push(place);
    });
  });
  var isOpen = new Set(data.open_items.map(function (item) { return item[0]; }));
  data.records.forEach(function (record) {
    result.hold(isOpen.has(record[0]) !== again.isCleared.has(record[0]), lineName(record) + ', is neither open nor matched, or both');
  });
  return result;
}
function checkSigned(data, again) {
  var result = check('Signed figures');
  var adjustments = new Set(data.adjustments);
  var lines = 0;
  var others = new Set();
  data.covered.forEach(function (row) {
    var said = JSON.parse(row[2]);
    if (row[0] === 'record') {
      if (said.currency !== data.currency) return others.add(row[1]);
      lines += 1;
      var record = again.byId.get(Number(row[1]));
      var amount = function (value) { return amountText(value, data.decimal_places); };
      if (record === undefined) return result.hold(false, 'a line that was signed is missing: ' + (said.reference || said.description || row[1]));
      if (record[3] !== said.amount) return result.hold(false, lineName(record) + ', is ' + amount(record[3]) + ' here and ' + amount(said.amount) + ' in what was signed');
      var isSame = record[1] === said.side && record[2] === said.date && record[4] === said.reference && record[5] === said.description;
      return result.hold(isSame, lineName(record) + ', is not the line that was signed');
    }
    if (row[0] === 'balance') {
      var of = row[1].split(' ');
      if (of[0] !== data.currency) return;
      var balance = data.balances[of[1]];
      return result.hold(balance.opening === said.opening && balance.stated_closing === said.stated_closing, 'a balance is not the one that was signed');
    }
  });
  result.hold(lines === data.records.length, 'the pack has ' + data.records.length + ' lines, and ' + lines + ' were signed');
  var isHere = function (row) { return row[0] === 'match' && !row[1].split(' ').some(function (id) { return others.has(id); }); };
  var signed = data.covered.filter(isHere).map(function (row) { return row[1] + ' ' + JSON.parse(row[2]).reason; }).sort().join('\n');
  var here = data.matches.map(function (match) {
    var ids = match[2].filter(function (id) { return !adjustments.has(id); }).sort(function (left, right) { return left - right; });
    return ids.join(' ') + ' ' + match[1];
  }).sort().join('\n');
  result.hold(signed === here, 'the matches are not those that were signed');
  var found = sha256OfText(data.covered.map(function (row) { return JSON.stringify(row) + '\n'; }).join(''));
  result.hold(found === data.covering_hash, 'what is covered has the hash ' + shortHash(found) + ' instead of ' + shortHash(data.covering_hash));
  data.sign_offs.forEach(function (signOff) {
    if (signOff.stands) result.hold(signOff.hash === data.covering_hash, signOff.by + ' signed ' + shortHash(signOff.hash) + ', not ' + shortHash(data.covering_hash));
  });
  result.value = shortHash(data.covering_hash);
  return result;
}
var DONE = { prepare: 'prepared', review: 'reviewed', close: 'closed', reopen: 'reopened' };
/* Each sign-off is an entry of the audit log, and each such entry is shown. What the page says of the state and of the people follows from them. */
function checkSignOffs(data) {
  var result = check('Sign-offs');
  var entries = data.audit.filter(function (entry) { return /^period\.(prepared|reviewed|closed|reopened)$/.test(entry[4]); });
  var details = entries.map(function (entry) { return JSON.parse(entry[5]); });
  var used = new Set(), periods = new Set();
  data.sign_offs.forEach(function (signOff) {
    var name = signOff.by + ', ' + DONE[signOff.kind] + ' on ' + momentText(signOff.at);
    var place = entries.findIndex(function (entry, each) {
      return !used.has(each) && entry[4] === 'period.' + DONE[signOff.kind] && entry[2] === Date.parse(signOff.at) && details[each].covering_hash === signOff.hash;
    });
    if (place < 0) return result.hold(false, name + ', is not in the audit log');
    used.add(place);
    periods.add(details[place].period_id);
    var said = details[place].signed_by;
    result.hold(said === signOff.by, signOff.by + ' is shown as the person who ' + DONE[signOff.kind] + ' the period, and the audit log says ' + said);
    result.hold((details[place].reason || null) === (signOff.reason || null), name + ', gave another reason in the audit log');
    var before = entries[place];
    var head = signOff.audit_head === null ? /^0+$/.test(before[7]) : before[7] === signOff.audit_head;
    result.hold(head, name + ', does not follow from the entry of the audit log that it names');
  });
  entries.forEach(function (entry, each) {
    if (periods.has(details[each].period_id)) result.hold(used.has(each), 'a sign-off of ' + details[each].signed_by + ' is in the audit log and not on this page');
  });
  result.hold(periods.size <= 1, 'its sign-offs are those of several periods');
  checkSaid(data, result);
  var rows = data.sign_offs.map(function (of) { return JSON.stringify([of.kind, of.by, of.at, of.reason, of.hash, of.audit_head]) + '\n'; });
  result.print = shortHash(sha256OfText(JSON.stringify([data.covering_hash]) + '\n' + rows.join('')));
  result.hold(result.print === data.document.identity.fingerprint, 'its fingerprint is ' + result.print + ' and was ' + data.document.identity.fingerprint);
  return result;
}
function checkSaid(data, result) {
  var doc = data.document, of = doc.identity;
  var last = data.sign_offs[data.sign_offs.length - 1];
  var state = { prepare: 'prepared', review: 'reviewed', close: 'closed', reopen: 'open' }[last ? last.kind : 'reopen'];
  result.hold(data.state === state && of.state === state, 'the period is shown as ' + of.state + ', and it is ' + state);
  result.hold(of.isStale === data.is_stale && (!of.isStale || (last !== undefined && last.hash !== data.covering_hash)), 'whether it changed since it was signed is not what its sign-offs say');
  var by = { prepare: null, review: null };
  data.sign_offs.forEach(function (signOff) {
    if (signOff.kind === 'reopen') by = { prepare: null, review: null };
    else if (signOff.kind === 'prepare') by = { prepare: signOff.by, review: null };
    else if (signOff.kind === 'review') by.review = signOff.by;
  });
  result.hold(of.preparedBy === by.prepare, 'it was prepared by ' + by.prepare + ', and the page says ' + of.preparedBy);
  var people = [by.prepare, by.review];
  doc.sections.forEach(function (section) {
    section.blocks.forEach(function (block) {
      if (block.kind === 'signatures') {
        result.hold(JSON.stringify(block.signers.map(function (each) { return each.name; })) === JSON.stringify(people), 'the people who sign are not those who signed');
        var closer = state === 'closed' ? 'Closed in Tieout by ' + last.by + ', ' + momentText(last.at) : 'Draft';
        result.hold(block.remark.indexOf(closer) === 0, 'who closed the period is not what the sign-offs say');
      }
      if (section.name !== 'Sign-offs' || block.kind !== 'table') return;
      var rows = [];
      block.groups.forEach(function (group) { rows = rows.concat(group.rows); });
      result.hold(rows.length === data.sign_offs.length, 'the page lists ' + rows.length + ' sign-offs instead of ' + data.sign_offs.length);
      rows.forEach(function (row, place) {
        var signOff = data.sign_offs[place];
        if (signOff === undefined) return;
        var here = JSON.stringify(row.cells.slice(0, 6));
        var there = JSON.stringify([begun(DONE[signOff.kind]), signOff.by, momentText(signOff.at), shortHash(signOff.hash), signOff.stands ? 'yes' : 'no', signOff.reason || '']);
        result.hold(here === there, 'the sign-off of ' + signOff.by + ' reads ' + row.cells.slice(0, 3).join(' '));
      });
    });
  });
  result.hold(of.currency === data.currency && of.decimalPlaces === data.decimal_places && of.reconciliation === data.reconciliation, 'currency or reconciliation are not those of its lines');
  result.hold(of.days === dayText(data.period.from) + ' to ' + dayText(data.period.to), 'the period reads ' + of.days + ' and is another one in the data');
}
function checkChain(data) {
  var result = check('Audit chain');
  var before = null;
  data.audit.forEach(function (entry) {
    var parts = [entry[7], entry[1], entry[2], entry[3], entry[4], entry[5]];
    if (entry[6] !== null) parts.push(entry[6]);
    var follows = before === null || (entry[7] === before[8] && entry[0] === before[0] + 1);
    result.hold(follows && sha256OfText(parts.join('\n')) === entry[8], 'entry ' + grouped(String(entry[0])) + ' of the audit chain ' + (follows ? 'no longer has its hash' : 'does not follow from the one before'));
    before = entry;
  });
  result.last = before;
  return result;
}
/* All checks of what was seen of a page. No check needs a browser. */
function allChecks(seen) {
  var checks = [checkData(seen.raw, seen.stated), checkPage(seen)];
  var found = { checks: checks, data: null, report: null };
  try {
    found.data = JSON.parse(seen.raw);
    notation = found.data.document.identity.notation;
    found.report = reportOf(found.data);
    var figures = found.report.figures;
    var again = reAdded(found.data);
    checks.push(checkFigures(found.data, figures));
    checks.push(checkLines(found.data, again, figures));
    checks.push(checkSigned(found.data, again));
    checks.push(checkSignOffs(found.data));
    checks.push(checkChain(found.data));
    checks.push(checkContents(found.data));
    if ((found.data.files || []).some(function (file) { return file.content !== null; })) checks.push(checkFiles(found.data));
  } catch (error) {
    var broken = check('Reading');
    broken.hold(false, 'its data cannot be read');
    checks.push(broken);
  }
  return found;
}
`;

/** The style of the banner, the contents and the checks around the report. It follows the report's own style. */
const PACK_STYLE = `:root{--text:#17201d;--text-2:#4a5551;--text-3:#626c68;--line:#e4e7e3;--line-2:#cfd5d0;--tint:#dcebe5;--good:#14553f;--bad:#b3261e;--bad-text:#9f1f18;--bad-tint:#fbe9e7;--sunken:#f8f9f7}
html{scroll-padding-top:112px}
.f.ch{background:var(--bad-tint);color:var(--bad-text);box-shadow:0 0 0 2px var(--bad-tint)}.f.ch::before{content:"◆ ";font-size:.8em;color:var(--bad)}
@media screen{
body{background:#fff;padding:0;font-size:13px;color:var(--text)}
.hid{position:sticky;top:0;z-index:5;background:#fff}
.ban{display:flex;align-items:center;gap:12px;min-height:52px;padding:8px 20px;border-bottom:1px solid var(--line-2);background:#fbf0db;color:#7d4b00}
.ban .m{width:22px;height:22px;flex:none;border:1.75px solid currentColor;border-radius:50%;display:grid;place-items:center;font-weight:700;font-size:13px}
.ban p{font-size:14px;font-weight:600;line-height:19px}.ban small{display:block;font-size:12px;font-weight:400;line-height:17px}.ban>div{min-width:0;flex:1}
[data-checked=good] .ban:not(.d){background:var(--tint);color:var(--good)}[data-checked=bad] .ban{background:var(--bad);color:#fff}
button{font:550 13px/1 var(--font);height:28px;padding:0 10px;border:1px solid currentColor;border-radius:6px;background:transparent;color:inherit;white-space:nowrap;cursor:pointer;flex:none}
:focus-visible{outline:2px solid var(--good);outline-offset:1px}
.bar{display:flex;align-items:center;gap:10px;min-height:44px;padding:4px 20px;border-bottom:1px solid var(--line);font-size:13px}
.bar b{font-size:15px;font-weight:620}.bar .q{color:var(--text-2);min-width:0;overflow-wrap:anywhere}.bar button{margin-left:auto;border-color:var(--line-2)}
.badge{display:inline-flex;align-items:center;gap:5px;height:20px;padding:0 7px;border-radius:4px;font-size:12px;font-weight:500;white-space:nowrap;background:var(--tint);color:var(--good)}
.badge.x{background:var(--bad-tint);color:var(--bad-text)}
.badge.d{background:#fbf0db;color:#7d4b00}
.lay{display:grid;grid-template-columns:176px minmax(0,1fr) 272px;align-items:start}
.toc,.chk{position:sticky;top:97px;height:calc(100vh - 97px);overflow:auto}
.toc{border-right:1px solid var(--line);padding:10px 8px;font-size:13px}
.toc a{display:flex;align-items:center;gap:8px;height:28px;padding:0 8px 0 10px;border-radius:6px;color:var(--text-2);text-decoration:none;white-space:nowrap}
.toc a:hover{background:#f1f4f1}.toc .k{width:16px;color:var(--text-3);font-size:12px}.toc .n{margin-left:auto;color:var(--text-3);font-size:12px;padding:0}.toc a.bad{color:var(--bad-text)}.toc a.bad .n::before{content:"◆ ";color:var(--bad)}
.chk{border-left:1px solid var(--line);background:var(--sunken);padding:14px 0 0;display:flex;flex-direction:column;font-size:13px;line-height:1.4}
.chk h2{display:block;font-size:12px;font-weight:600;color:var(--text-2);padding:0 16px 8px}
.ck{display:grid;grid-template-columns:14px minmax(0,1fr) auto;gap:0 8px;padding:7px 16px;border-top:1px solid var(--line);align-items:baseline}
.ck b{font-weight:600}.ck .v{white-space:nowrap;font-size:12px}.ck p{grid-column:2/4;font-size:12px;line-height:17px;color:var(--text-2);overflow-wrap:anywhere}
.ck.bad{background:var(--bad-tint)}.ck.bad b,.ck.bad p,.ck.bad .v{color:var(--bad-text)}
.mk{width:8px;height:8px;display:inline-block}.mk.g{border-radius:50%;background:#25765b}.mk.x{background:var(--bad);transform:rotate(45deg)}.mk.o{border-radius:50%;border:1.5px solid #878f8a}
.cmp{padding:0 16px 12px;font-size:12px;color:var(--text-2)}.cmp label{display:block;padding:10px;border:1.5px dashed #878f8a;border-radius:6px;text-align:center;cursor:pointer}.cmp input{width:100%;margin-top:6px;font-size:11px}.cmp p{margin-top:6px;overflow-wrap:anywhere}
.last{margin-top:auto;border-top:1px solid var(--line);padding:10px 16px 14px;font-size:12px;line-height:17px;color:var(--text-2)}
.doc{min-width:0;padding:18px 24px 64px}.doc>main{zoom:1.2;font-size:8.1pt;max-width:720px;margin:0 auto}.doc h1{font-size:14pt}.doc section{content-visibility:auto;contain-intrinsic-size:auto 900px;scroll-margin-top:100px}
}
@media screen and (max-width:1100px){.lay{grid-template-columns:minmax(0,1fr) 272px}.toc{display:none}}
@media screen and (max-width:760px){.lay{display:block}.chk,.hid{position:static;height:auto}.bar{flex-wrap:wrap}}
@media print{.hid,.toc,.chk{display:none}.lay,.doc{display:block}[data-checked=bad] .hid{display:block;border:2pt solid #000;padding:6pt;margin-bottom:9pt}.hid button{display:none}}`;

/**
 * SHA-256 (FIPS 180-4) for a browser. A page that is opened from a file may lack `crypto.subtle`. The constants are computed as the standard defines
 * them: the fractional parts of roots of the first primes.
 */
export const HASH_SCRIPT = String.raw`
function roots(count, root) {
  var found = [];
  for (var candidate = 2; found.length < count; candidate += 1) {
    var isPrime = true;
    for (var factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) isPrime = false;
    if (isPrime) {
      var value = root(candidate);
      found.push(Math.floor((value - Math.floor(value)) * 4294967296) | 0);
    }
  }
  return found;
}
var ROUNDS = roots(64, Math.cbrt);
var START = roots(8, Math.sqrt);
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}
function sha256(bytes) {
  var state = Int32Array.from(START);
  var words = new Int32Array(64);
  var length = bytes.length;
  var padded = new Uint8Array(((length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[length] = 128;
  var view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 536870912));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  for (var at = 0; at < padded.length; at += 64) {
    for (var i = 0; i < 16; i += 1) words[i] = view.getInt32(at + i * 4);
    for (i = 16; i < 64; i += 1) {
      var near = words[i - 15], far = words[i - 2];
      var s0 = turned(near, 7) ^ turned(near, 18) ^ (near >>> 3);
      var s1 = turned(far, 17) ^ turned(far, 19) ^ (far >>> 10);
      words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
    var a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (i = 0; i < 64; i += 1) {
      var one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      var two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
  var text = '';
  for (var place = 0; place < 8; place += 1) text += ('0000000' + (state[place] >>> 0).toString(16)).slice(-8);
  return text;
}
function sha256OfText(text) {
  return sha256(new TextEncoder().encode(text));
}
`;

const UNCHECKED = phrase('report.packHtml.thisClosePackIsNotChecked');

/** The page without its data, hashes and script, in the form in which a browser serializes it after parsing. */
const PARTS = {
  policy: `default-src 'none'; script-src 'sha256-%script%'; style-src 'sha256-%style%'; base-uri 'none'; form-action 'none'`,
  head: `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%policy%"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${phrase('report.packHtml.closePackNotChecked')}</title>`,
  body: `<p id="wait">${UNCHECKED}</p><script type="application/json" id="data" data-sha256="%hash%">`,
} as const;

const STYLE = `\n${PLAIN_STYLE}\n${PACK_STYLE}\n`;

const CONSTANTS = { PARTS, STYLE, PAGE_RULE };

/** Returns a value as script source. `<` is escaped, so that no text can end the script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** The part of the pack's script that needs no browser: everything that it checks and shows. */
export const PACK_CORE = [
  ...Object.entries(CONSTANTS).map(([name, value]) => `var ${name} = ${literal(value)};\n`),
  HASH_SCRIPT,
  RENDER_SCRIPT,
  CHECKS_SCRIPT,
].join('');

const SCRIPT = `(function () {\n'use strict';\n${PACK_CORE}${PAGE_SCRIPT}})();`;

function hashOf(text: string, encoding: 'base64' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}

/** Permits only this script and this style. If one byte of either changes, the page shows only the notice that it is not checked. */
const POLICY = PARTS.policy.replace('%script%', hashOf(SCRIPT, 'base64')).replace('%style%', hashOf(STYLE, 'base64'));

/** Returns the file of a pack with these data. Apart from the data, all packs of one version of Tieout are equal. */
export function packAround(data: string): string {
  const body = PARTS.body.replace('%hash%', hashOf(data, 'hex'));
  return `<!doctype html>${PARTS.head.replace('%policy%', POLICY)}${body}${data}</script><script>${SCRIPT}</script>\n`;
}

/**
 * Returns the close pack: the report, all data that it is made from, and checks that run in any browser without Tieout and without a connection. The
 * file contains data and a script, and the script builds the page from the data.
 */
export function packHtml(report: CloseReport, document: Document = documentOf(report), files: readonly PackedFile[] = []): string {
  // No hash covers the time of printing, because it differs between copies. The page shows only data under a hash and therefore omits it.
  const { printed: _, ...identity } = document.identity;
  const packed = files.map(({ name, sha256, bytes }) =>
    typeof bytes === 'string'
      ? { name, sha256, content: null, absent: bytes }
      : { name, sha256, content: Buffer.from(bytes).toString('base64') },
  );
  return packAround(canonicalJson({ ...reportData(report, { ...document, identity }), ...(files.length === 0 ? {} : { files: packed }) }));
}

/** A file that was kept with an import of the period. */
export interface PackedFile {
  readonly name: string;
  readonly sha256: string;
  /** The file, or why the pack does not have it, in words. */
  readonly bytes: Uint8Array | string;
}
