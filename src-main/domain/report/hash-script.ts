/**
 * SHA-256 (FIPS 180-4) as a browser runs it, in a page opened from a file, where `crypto.subtle` may be missing. The constants are worked out as the standard defines them:
 * the fractional parts of the roots of the first primes.
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
