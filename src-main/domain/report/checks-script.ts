/**
 * The script of the checks that a pack makes of itself. Each check returns how many things it looked at, how many hold, and a sentence on each that
 * does not. Sums are exact by BigInt, because amounts may be as large as a number holds.
 */
export const CHECKS_SCRIPT = String.raw`
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
function checkContents(data) {
  var result = check('Contents');
  var of = data.document.identity;
  var identity = Object.assign({}, of);
  delete identity.contents;
  var found = shortHash(sha256OfText(JSON.stringify(Object.assign({}, data, { document: Object.assign({}, data.document, { identity: identity }) }))));
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
    found.report = reportOf(found.data);
    var figures = found.report.figures;
    var again = reAdded(found.data);
    checks.push(checkFigures(found.data, figures));
    checks.push(checkLines(found.data, again, figures));
    checks.push(checkSigned(found.data, again));
    checks.push(checkSignOffs(found.data));
    checks.push(checkChain(found.data));
    checks.push(checkContents(found.data));
  } catch (error) {
    var broken = check('Reading');
    broken.hold(false, 'its data cannot be read');
    checks.push(broken);
  }
  return found;
}
`;
