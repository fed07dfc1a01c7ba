/** Stores a certificate with its key, and earlier ones; file names and links are upstream's. */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  fsyncSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { readIfThere } from '../read-if-there.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

/** PEM; the certificate includes its chain. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

export interface StoredCertificate extends CertificatePair {
  readonly leaf: X509Certificate;
}

export class CertificateStore {
  readonly #directory: string;
  readonly #name: string;

  /** @param name the prefix of the file names before `-current.pem`, such as `kubelet-client` */
  constructor(directory: string, name: string) {
    this.#directory = directory;
    this.#name = name;
  }

  get currentFile(): string {
    return path.resolve(this.#directory, `${this.#name}-current.pem`);
  }

  /** Undefined if there is none. @throws Error if it can't be read, or key and certificate don't match */
  current(): StoredCertificate | undefined {
    const text = readIfThere(this.currentFile);
    return text === undefined ? undefined : storedCertificate(text, this.currentFile);
  }

  /**
   * The new pair is written to disk before the link is switched, so that a reader sees either the old or the new one.
   */
  update({ certificate, key }: CertificatePair, nowMs: number): StoredCertificate {
    mkdirSync(this.#directory, { recursive: true, mode: 0o755 });
    const file = path.resolve(this.#directory, `${this.#name}-${timestamp(nowMs)}.pem`);
    const text = `${certificate.trim()}\n${key.trim()}\n`;
    const stored = storedCertificate(text, file);
    const handle = openSync(file, 'w', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    this.#leadTo(file);
    return stored;
  }

  #leadTo(file: string): void {
    if (!isLinkOrAbsent(this.currentFile))
      throw new Error(`expected "${this.currentFile}" to be a symlink but it is a file`);
    const updated = path.resolve(this.#directory, `${this.#name}-updated.pem`);
    rmSync(updated, { force: true });
    symlinkSync(file, updated);
    renameSync(updated, this.currentFile);
  }
}

/** @throws Error if there is no certificate, or its key doesn't match */
export function storedCertificate(text: string, file: string): StoredCertificate {
  try {
    const leaf = new X509Certificate(text);
    const certificate = text.match(certificateBlocks)?.join('\n') ?? '';
    const key = keyBlock.exec(text)?.[0] ?? '';
    if (!leaf.checkPrivateKey(createPrivateKey(key)))
      throw new Error('private key does not match public key');
    return { certificate: `${certificate}\n`, key: `${key}\n`, leaf };
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`could not convert data from "${file}" into cert/key pair: ${why}`, { cause: error });
  }
}

const certificateBlocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const keyBlock = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^-]+-----END \1-----/;

function isLinkOrAbsent(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return true;
  }
}

/** `2006-01-02-15-04-05` */
const timestamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replaceAll(/[:T]/g, '-');
