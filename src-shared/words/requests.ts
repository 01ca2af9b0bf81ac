export const requestsWords = {
  'requests.answers.line': '{words} of {day}, {amount} {currency},',
  'requests.answers.words': '“{words}”',
  'requests.answers.noText': 'no text',
  'requests.answers.thereIsNoInThisEnvironment': 'There is no {what} {id} in this environment.',
  'requests.differenceReasons.adjustmentReasonGoesWithAnAdjustment':
    'adjustment_reason goes with an adjustment: add create_adjustment true, or leave the reason out.',
  'requests.differenceReasons.anAdjustmentLeavesNothingOpen':
    'An adjustment leaves nothing open: leave create_adjustment out, or give the code of what it is.',
  'requests.differenceReasons.theSidesOfThisMatch': 'The sides of this match do not differ: leave difference_reason out.',
  'requests.idempotency.thisIdempotencyKeyWasUsed':
    'This Idempotency-Key was used for {operation} with another input: send the same input again, or use a new key.',
  'requests.paging.cursorIsNotOne':
    'cursor is not one of this list and order: take it from next_cursor of the page before, or leave it out.',
  'requests.reservedStreams.recordsGetIntoItByMatches': 'records get into it by matches with create_adjustment alone. Choose another one.',
  'requests.guards.theApiKeyIsMissing':
    'The API key is missing or not valid. Send a valid key in the header X-API-KEY, as a bearer token, or as the password of a sign-in.',
  'requests.guards.thisWindowIsNotSigned':
    'This window is not signed in. Open the whole address that Tieout printed once more, or start Tieout again.',
  'requests.guards.thisLinkWasRevokedOrIsMistyped': 'this link was revoked or is mistyped',
  'requests.guards.windowOfTieoutIsShown':
    'The window of Tieout is shown on the machine itself alone; other machines may use /v1 with an API key.',
  'requests.guards.thisAddressIsNotServed':
    'This address is not served under that name. Call it as 127.0.0.1, or by a name that the settings of Tieout or serve --host-name allow.',
  'requests.guards.theHeaderHostIsGiven': 'The header Host is given more than once; give it once.',
  'requests.guards.thisAddressAnswersOnlyTheWindow': 'This address answers only the window of Tieout itself, not another page.',
  'requests.guards.pagesOfThisOrigin':
    'Pages of this origin may not call this address. Add the origin to the allowed ones in the settings of Tieout, or with serve --allow-origin.',
  'requests.guards.thisKeyHasSentTooManyRequests':
    'This key has sent too many requests: {requestsPerSecond} a second are taken, after a rest {requestBurst} at once. Wait and send again.',
  'requests.http.parameter': 'The query parameter {name} {fault}.',
  'requests.http.parameterNotUtf8': 'is not UTF-8 once its % escapes are read',
  'requests.http.parameterRepeated': 'The query parameter {name} is given more than once; give it once.',
  'requests.http.repeated': 'is given more than once',
  'requests.http.giveOnce': 'is given more than once; give it once',
  'requests.http.mustBe': 'must be {choices}',
  'requests.http.bodyNotAnObject': 'The body must be a JSON object.',
  'requests.http.notAnObject': 'must be an object',
  'requests.http.bodyNotJson': 'The body is not valid JSON ({fault}).',
  'requests.http.bodyNotUtf8': 'The body is not valid JSON: it is not UTF-8.',
  'requests.http.itemTooLarge': 'The body {fault}. Nothing of the request was taken: shorten it.',
  'requests.http.tooMany': 'The body {fault}. Send fewer, or in several requests.',
  'requests.http.changedSinceRead':
    'What this address answers has changed since it was read: read it again, and send the request with the new ETag.',
  'requests.http.noETagToCompare': 'This address cannot be read, so there is no ETag that If-Match could name: leave the header out.',
  'requests.http.idempotencyKey': 'The header Idempotency-Key {fault}.',
  'requests.http.keyLength': 'has {characters} characters; give it 1 to {most}, or leave it out',
  'requests.http.methodNotAllowed': '{method} is not possible at this address; possible: {allowed}.',
  'requests.http.unknownEncoding': 'Send the body as it is, or packed with the header Content-Encoding: gzip.',
  'requests.http.requestTimeout': 'The request did not arrive whole in time. Send it again in one go.',
  'requests.http.requestUnreadable': 'The request cannot be read: its headers are malformed or too large.',
  'requests.http.tooManyWindows': 'At most {most} windows can listen at a time.',
  'requests.http.addressUsedUp': 'This address has been used or is too old',
  'requests.http.addressWorksOnce':
    'It works once, within 15 seconds of the start. Start Tieout again, or open the address that it has printed.',
  'requests.dispatch.thereIsNoOperationHere': 'There is no operation {stringify} here.',
  'requests.dispatch.thisKeyMayOnlyRead': 'This key may only read, and {operation} changes data. Use a key with the permission read_write.',
  'requests.dispatch.diskIsFull': 'The disk is full, so nothing was changed. Free some space and try again.',
  'requests.dispatch.theBookCannotBeWritten':
    'The book cannot be written any more, so nothing was changed: see whether its disk can still be written, and start Tieout again.',
  'requests.dispatch.theFileOfTheBook': 'The file of the book is damaged where this is stored.',
  'requests.dispatch.tieoutFailedInTheLog': 'Tieout failed in {operation}. The log tells why, under request {requestId}. {ifAgain}',
  'requests.dispatch.bookIsDamagedWithFault': 'The file of the book is damaged ({fault}), so this cannot be answered.',
  'requests.dispatch.ifItHappensAgainTieout': 'If it happens again, tieout verify says whether the book is damaged; then restore a backup.',
  'requests.errors.bodyIsLargerThanSendIt': 'The body is larger than {limit}. Send it in smaller parts.',
  'requests.errors.sendTheBodyAsJson': 'Send the body as JSON, with the header Content-Type: application/json.',
  'requests.errors.theBodyIsNotWhole': 'The body is not whole, or it is not packed by gzip as its header says.',
  'requests.errors.theRequestCannotBeRead': 'The request cannot be read ({statusCodes}).',
  'requests.errors.diskIsFull': 'The disk is full, so nothing was changed. Free some space and try again.',
  'requests.errors.theFileOfTheBook':
    'The file of the book is damaged where this is stored. Restore a backup: in the window, or with tieout restore.',
  'requests.errors.tieoutFailedTheLogTells':
    'Tieout failed. The log tells why, under request {id}. If it happens again, tieout verify says whether the book is damaged; then restore a backup.',
  'requests.errors.thereIsNothingAtThisAddress': 'There is nothing at this address.',
  'requests.listenError.portIsInUseChoose':
    'Port {port} is in use. Choose another port, let Tieout take a free one, or close the program that uses it.',
  'requests.listenError.isInUse': 'is in use',
  'requests.listenError.portMayNotBeUsed':
    'Port {port} may not be used by this user. Choose one above 1023, or let Tieout take a free one.',
  'requests.listenError.mayNotBeUsed': 'may not be used',
  'requests.listenError.thisMachineDoesNotHaveTheAddress':
    'This machine does not have the address {address}. Give one that it has, 127.0.0.1 for this machine alone, or 0.0.0.0 for all of them.',
  'requests.listenError.isNotAnAddressOfThisMachine': 'is not an address of this machine',
  'requests.listenError.portOfCannotBeListened':
    'Port {port} of {address} cannot be listened on ({code}). Choose another port, or let Tieout take a free one.',
  'requests.listenError.cannotBeListenedOn': 'cannot be listened on',
  'requests.dispatch.operationIsNoText': 'A request names its operation as text.',
} as const;
