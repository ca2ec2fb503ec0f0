/** AES-256-GCM with a random nonce. Every secret the service stores or sends away has this form: nonce, tag, ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Node would take a tag of 4 bytes as well, which can be guessed. */
const options = { authTagLength: tagBytes };

/** `key`: 32 bytes. */
export function encrypt(plain: Uint8Array, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, options);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the bytes are not what `encrypt` made with this key. */
export function decrypt(encrypted: Uint8Array, key: Uint8Array): Buffer {
  const nonce = encrypted.subarray(0, nonceBytes);
  const tag = encrypted.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, options);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
