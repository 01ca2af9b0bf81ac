import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../../platform/ports.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const derive = promisify<string | Uint8Array, Uint8Array, number, Buffer>(scrypt);

/** Encrypts a text: salt, nonce, tag, and what was encrypted. `about` is not in it, and has to be the same when it is opened. */
export async function sealed(text: string, about: string, secret: Uint8Array, random: Random): Promise<Buffer> {
  const salt = random.bytes(SALT_BYTES);
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, await derive(secret, salt, KEY_BYTES), nonce);
  cipher.setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]);
}

/** The text; null where it was sealed with another secret, about something else, or was changed since. */
export async function unsealed(bytes: Uint8Array, about: string, secret: Uint8Array): Promise<string | null> {
  const nonceAt = SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  if (bytes.byteLength <= bodyAt) return null;
  const key = await derive(secret, bytes.subarray(0, nonceAt), KEY_BYTES);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
