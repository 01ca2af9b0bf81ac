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
var TELLING = ['Sign-offs', 'Signed figures', 'Audit chain', 'Figures re-added', 'Statement from its lines', 'Page', 'Reading', 'Contents', 'Data'];
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
function bannerNode(verdict) {
  var words = h('div', '', [h('p', '', verdict.title, { id: 'verdict' }), h('small', '', verdict.detail, { id: 'detail' })]);
  return h('div', 'ban', [h('span', 'm', verdict.isRight ? '\u2713' : '!'), words, h('button', '', 'Check again', { id: 'again', type: 'button' })], { role: 'status' });
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
function sideNode(checks, isRight) {
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
    h('div', 'ck', [h('i', 'mk o'), h('b', '', 'Source files'), h('span', 'v', 'not in this page')]), compare, h('p', 'last', last)
  ], { 'aria-label': 'Checks' });
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
  var top = h('div', 'hid', [bannerNode(verdict)].concat(found.report === null ? [] : barNode(found.data.document, verdict.isRight)));
  var lay = h('div', 'lay', [found.report === null ? h('nav', 'toc') : contentsNode(found.data.document), h('div', 'doc', main), sideNode(found.checks, verdict.isRight)]);
  var title = (verdict.isRight ? '' : 'Changed: ') + (found.report === null ? 'Close pack' : found.data.document.title + ', close pack');
  var page = h('html', '', [h('head', '', [h('title', '', title), h('meta', '', [], { name: 'viewport', content: 'width=device-width,initial-scale=1' }), h('style', '', STYLE)]), h('body', '', [top, lay])]);
  page.attributes = { lang: 'en-GB', 'data-checked': verdict.isRight ? 'good' : 'bad' };
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
  document.getElementById('verdict').textContent = 'Something changed this page while it was open: check again, without extensions of the browser';
  document.getElementById('detail').textContent = 'Do not rely on any figure in this page until then.';
});
EventTarget.prototype.addEventListener.call(document, 'DOMContentLoaded', function () {
  seen.rest = behind();
  show();
});
`;
