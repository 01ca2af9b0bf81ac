/**
 * What a pack checks of itself. Each check answers how many things it looked at, how many hold, and a sentence on the first that does not.
 * Sums are exact: BigInt, as amounts may be as large as a number holds.
 */
export const CHECKS_SCRIPT = String.raw`
function grouped(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
function amountText(amount, places) {
  var value = BigInt(amount);
  var digits = String(value < 0n ? -value : value);
  while (digits.length < places + 1) digits = '0' + digits;
  var whole = grouped(digits.slice(0, digits.length - places));
  return (value < 0n ? '\u2212' : '') + whole + (places === 0 ? '' : '.' + digits.slice(digits.length - places));
}
function dayText(iso) {
  return iso.split('-').reverse().join('/');
}
function shortHash(hash) {
  return String(hash).slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
}
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
  result.value = shortHash(stated);
  return result;
}
function checkPage(data, text, style) {
  var result = check('Page');
  result.hold(sha256OfText(text) === data.page_sha256, 'the text on this page is not the one it was made with');
  result.hold(sha256OfText(style) === data.style_sha256, 'the style of this page was changed');
  return result;
}
function checkFigures(data, elements) {
  var result = check('Figures re-added');
  result.changed = [];
  if (elements.length !== data.figures.length) result.hold(false, 'the page shows ' + elements.length + ' figures instead of ' + data.figures.length);
  data.figures.forEach(function (figure, place) {
    var value = figure[0], written = figure[1], adds = figure[3];
    var shown = elements[place] ? elements[place].textContent : 'nothing';
    var asAmount = amountText(value, data.decimal_places);
    var isWritten = written === asAmount || written === amountText(value, 0) || written === String(value) || (value === 0 && written === '\u2013');
    var fault = null;
    if (shown !== written || !isWritten) fault = 'a figure reads ' + shown + ' and is ' + (isWritten ? written : asAmount) + ' in the data';
    else if (adds !== null) {
      var sum = adds.reduce(function (total, each) {
        return each < 0 ? total - BigInt(data.figures[-1 - each][0]) : total + BigInt(data.figures[each][0]);
      }, 0n);
      if (sum !== BigInt(value)) fault = (figure[2] || 'a total').replace(/_/g, ' ') + ' is stated as ' + written + ', and its parts come to ' + sum;
    }
    result.hold(fault === null, fault);
    if (fault !== null) result.changed.push(place);
  });
  return result;
}
function namedFigures(data) {
  var named = {};
  data.figures.forEach(function (figure, place) {
    if (figure[2] !== null) (named[figure[2]] = named[figure[2]] || []).push(place);
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
function checkLines(data, again) {
  var result = check('Statement from its lines');
  result.changed = [];
  var named = namedFigures(data);
  Object.keys(again.figures).forEach(function (name) {
    var value = again.figures[name];
    (named[name] || []).forEach(function (place) {
      var written = data.figures[place][1];
      var isRight = value !== null && BigInt(data.figures[place][0]) === value;
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
  var result = check('Fingerprint');
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
  result.hold(found === data.fingerprint, 'what is covered has the fingerprint ' + shortHash(found) + ' instead of ' + shortHash(data.fingerprint));
  data.sign_offs.forEach(function (signOff) {
    if (signOff.stands) result.hold(signOff.hash === data.fingerprint, signOff.by + ' signed ' + shortHash(signOff.hash) + ', not ' + shortHash(data.fingerprint));
  });
  result.value = shortHash(data.fingerprint);
  return result;
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
`;
