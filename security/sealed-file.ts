/**
 * The service's signature on a file: its last line, over all bytes before it (Ed25519). A PDF may end in such a comment;
 * whoever has the public key can check the file without asking anybody.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** Starts the last line; `%` makes it a comment of PDF. */
const marker = '%hosted-sms-seal-v1 ';
/** An Ed25519 signature in base64url. */
const signatureLength = 86;

export interface FileSealer {
  /** The file with the line behind it. The same bytes always give the same line. */
  seal(file: Uint8Array): Buffer;
  /** SPKI in PEM: what everybody may have. */
  readonly publicKeyPem: string;
}

/** Makes a key pair from 32 secret bytes. */
export function createFileSealer(seed: Uint8Array): FileSealer {
  const privateKey = privateKeyOf(seed);
  return {
    seal: (file) => {
      const signature = sign(null, file, privateKey).toString('base64url');
      return Buffer.concat([file, Buffer.from(`${marker}${signature}\n`, 'latin1')]);
    },
    publicKeyPem: String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })),
  };
}

/** `unsealed`: the file has no such line. `altered`: it has one, for other bytes or by another key. */
export type SealCheck = 'genuine' | 'altered' | 'unsealed';

/** Throws when the key is not a public key in PEM. */
export function checkSeal(file: Uint8Array, publicKeyPem: string): SealCheck {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = bytes.lastIndexOf(marker, undefined, 'latin1');
  if (start < 0) return 'unsealed';
  const line = bytes.subarray(start).toString('latin1');
  const signature = line.slice(marker.length, marker.length + signatureLength);
  // Nothing may stand behind the line: it would not be signed.
  if (line !== `${marker}${signature}\n`) return 'altered';
  const genuine = verify(
    null,
    bytes.subarray(0, start),
    createPublicKey(publicKeyPem),
    Buffer.from(signature, 'base64url'),
  );
  return genuine ? 'genuine' : 'altered';
}

/** PKCS #8 around a raw Ed25519 seed. Source: RFC 8410 §7. */
function privateKeyOf(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
