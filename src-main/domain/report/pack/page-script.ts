/** Runs the checks, writes the banner and the list beside the report, and compares source files that are chosen. */
export const PAGE_SCRIPT = String.raw`
function element(id) {
  return document.getElementById(id);
}
function say(parent, tag, text, name) {
  var made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  parent.appendChild(made);
  return made;
}
function allChecks() {
  var block = element('data');
  var checks = [checkData(block.textContent, block.getAttribute('data-sha256'))];
  var data;
  try {
    data = JSON.parse(block.textContent);
    var again = reAdded(data);
    checks.push(checkFigures(data, document.querySelectorAll('#report .f')));
    checks.push(checkLines(data, again));
    checks.push(checkSigned(data, again));
    checks.push(checkChain(data));
    checks.push(checkPage(data, element('report').textContent, element('style').textContent));
  } catch (error) {
    var broken = check('Contents');
    broken.hold(false, 'its data cannot be read');
    checks.push(broken);
  }
  return { checks: checks, data: data };
}
var WORDS = {
  'Figures re-added': 'Every figure as it reads, every total from its parts.',
  'Statement from its lines': 'Balances, groups and adjusted balances, worked out anew.',
  'Audit chain': 'Each entry has its hash and follows from the one before.',
  'Fingerprint': 'Lines, matches and balances are those it stands for.',
  'Data': 'Not one byte is different.',
  'Page': 'Its text and its style are those it was made with.'
};
function listCheck(list, result) {
  var isRight = result.faults.length === 0;
  var box = say(list, 'div', '', isRight ? 'ck' : 'ck bad');
  say(box, 'i', '', isRight ? 'mk g' : 'mk x');
  say(box, 'b', result.title);
  say(box, 'span', result.value && isRight ? result.value : grouped(String(result.held)) + ' of ' + grouped(String(result.of)), 'v');
  var first = result.faults.slice(0, 3);
  if (isRight) say(box, 'p', WORDS[result.title] || '');
  first.forEach(function (fault) { say(box, 'p', fault.charAt(0).toUpperCase() + fault.slice(1) + '.'); });
  if (result.faults.length > first.length) say(box, 'p', 'And ' + grouped(String(result.faults.length - first.length)) + ' more.');
}
function mark(places) {
  var elements = document.querySelectorAll('#report .f');
  places.forEach(function (place) {
    if (!elements[place]) return;
    elements[place].classList.add('ch');
    var section = elements[place].closest('section');
    var link = section && document.querySelector('.toc a[href="#' + section.id + '"]');
    if (link) link.classList.add('bad');
  });
}
/* What names a line says more than what names a figure, and that more than a hash. */
var TELLING = ['Fingerprint', 'Audit chain', 'Figures re-added', 'Statement from its lines', 'Contents', 'Page', 'Data'];
function run() {
  var found = allChecks();
  var checks = found.checks;
  var wrong = checks.filter(function (each) { return each.faults.length > 0; });
  var list = element('checks');
  list.textContent = '';
  document.querySelectorAll('.ch').forEach(function (each) { each.classList.remove('ch'); });
  checks.slice(1).concat(checks[0]).forEach(function (each) { listCheck(list, each); });
  checks.forEach(function (each) { mark(each.changed || []); });
  var isRight = wrong.length === 0;
  document.documentElement.setAttribute('data-checked', isRight ? 'good' : 'bad');
  var by = function (title) { return checks.filter(function (each) { return each.title === title; })[0] || { of: 0 }; };
  var title, detail;
  if (isRight) {
    var lines = found.data.records.length;
    title = 'All ' + grouped(String(by('Figures re-added').of)) + ' figures re-added, ' + grouped(String(lines)) + ' lines and ' + grouped(String(by('Audit chain').of)) + ' entries of the audit chain checked in this browser just now';
    detail = 'Nothing in this pack was changed after it was made.';
  } else {
    wrong.sort(function (left, right) { return TELLING.indexOf(left.title) - TELLING.indexOf(right.title); });
    title = 'This pack was changed after it was made: ' + wrong[0].faults[0];
    detail = wrong.map(function (each) { return each.title + ' ' + grouped(String(each.held)) + ' of ' + grouped(String(each.of)); }).join(', ') + '. Do not rely on any figure in this page.';
  }
  element('verdict').textContent = title;
  element('detail').textContent = detail;
  element('mark').textContent = isRight ? '\u2713' : '!';
  var head = by('Audit chain').last;
  element('head').textContent = head ? shortHash(head[8]) : 'none';
}
function compare(file) {
  var reader = new FileReader();
  reader.onload = function () {
    var hash = sha256(new Uint8Array(reader.result));
    var files = JSON.parse(element('data').textContent).files;
    var same = files.filter(function (each) { return each[1] === hash; })[0];
    element('compared').textContent = same ? '\u2713 ' + file.name + ' is the file that was imported as ' + same[0] + '.'
      : '\u25c6 ' + file.name + ' is none of the files of section 7. Its SHA-256 is ' + hash + '.';
  };
  reader.readAsArrayBuffer(file);
}
element('file').addEventListener('change', function (event) {
  if (event.target.files[0]) compare(event.target.files[0]);
});
element('compare').addEventListener('dragover', function (event) { event.preventDefault(); });
element('compare').addEventListener('drop', function (event) {
  event.preventDefault();
  if (event.dataTransfer.files[0]) compare(event.dataTransfer.files[0]);
});
element('again').addEventListener('click', run);
element('print').addEventListener('click', function () { window.print(); });
run();
`;
