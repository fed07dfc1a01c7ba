/**
 * The parts of an X.509 certificate that identify its subject and determine what it may sign. Read from DER (RFC 5280).
 */
import { derText } from '@coxswain/api/certificates/der-text.ts';
import { DerError, oidText, readElement } from '@coxswain/api/certificates/der.ts';

export interface Certificate {
  readonly der: Uint8Array;
  /** Names in their DER encoding, which is compared to find the issuer. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly serialNumber: bigint;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
  readonly extensions: CertificateExtensions;
}

export interface CertificateExtensions {
  /** Undefined where the certificate doesn't say. */
  readonly isAuthority?: boolean;
  /** The maximum number of intermediate authorities below it. */
  readonly pathLengthMax?: number;
  readonly maySign?: boolean;
  readonly extendedKeyUsages?: readonly string[];
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
  readonly hasNameConstraints?: boolean;
  readonly hasAlternativeNames?: boolean;
  /** A critical extension that is not supported. */
  readonly unknownCritical?: string;
}

/** @throws DerError for bytes that are not a certificate */
export function readCertificate(der: Uint8Array): Certificate {
  const [body] = children(readElement(der, 0).content);
  const parts = children(body!.content);
  // The version precedes the other parts, with a context tag, unless it is 1.
  const from = parts[0]?.tag === contextTag(0) ? 1 : 0;
  const [serial, , issuer, validity, subject] = parts.slice(from);
  if (subject === undefined) throw new DerError('x509: malformed certificate');
  const [notBefore, notAfter] = children(validity!.content);
  const extensions = parts.find(({ tag }) => tag === contextTag(3));
  const names = attributesOf(subject.content);
  const valuesOf = (oid: string) => names.filter((name) => name.oid === oid).map(({ value }) => value);
  return {
    der,
    issuer: issuer!.whole,
    subject: subject.whole,
    serialNumber: integerOf(serial!.content),
    notBeforeMs: timeOf(notBefore!),
    notAfterMs: timeOf(notAfter!),
    // The last one wins, as in Go.
    commonName: valuesOf(oids.commonName).at(-1) ?? '',
    organizations: valuesOf(oids.organization),
    uids: valuesOf(oids.uid),
    extensions: extensions === undefined ? {} : extensionsOf(extensions.content),
  };
}

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

const contextTag = (number: number): number => 0xa0 + number;

/** More than any real certificate has at one level. */
const childrenMax = 1000;

function children(content: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < content.length;) {
    if (found.length === childrenMax) throw new DerError('x509: malformed certificate');
    const { content: inner, whole, end } = readElement(content, at);
    found.push({ tag: content[at]!, content: inner, whole });
    at = end;
  }
  return found;
}

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  /** Kubernetes' own: a user's uid in the subject. */
  uid: '1.3.6.1.4.1.57683.2',
};

const attributesOf = (name: Uint8Array): { readonly oid: string; readonly value: string }[] =>
  children(name)
    .flatMap(({ content }) => children(content))
    .map(({ content }) => {
      const [type, value] = children(content);
      if (value === undefined) throw new DerError('x509: invalid RDNSequence');
      return { oid: oidText(type!.content), value: stringOf(value) };
    });

function stringOf({ tag, content }: Element): string {
  const text = derText(tag, content);
  if (text === undefined) throw new DerError(`x509: invalid RDNSequence: unsupported string type: ${tag}`);
  return text;
}

function integerOf(content: Uint8Array): bigint {
  const magnitude = BigInt(`0x${Buffer.from(content).toString('hex') || '0'}`);
  return (content[0] ?? 0) < 0x80 ? magnitude : magnitude - (1n << BigInt(8 * content.length));
}

const utcTimeTag = 0x17;

/** `YYMMDDhhmmssZ` or `YYYYMMDDhhmmssZ`. */
function timeOf({ tag, content }: Element): number {
  const text = new TextDecoder().decode(content);
  const digits = tag === utcTimeTag ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits);
  if (match === null) throw new DerError('x509: malformed UTCTime');
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

const extensionReaders: Readonly<Record<string, (value: Uint8Array) => CertificateExtensions>> = {
  '2.5.29.19': basicConstraints,
  '2.5.29.15': (value) => ({ maySign: keyUsageSigns(readElement(value, 0).content) }),
  '2.5.29.37': (value) => ({
    extendedKeyUsages: children(readElement(value, 0).content).map(({ content }) => oidText(content)),
  }),
  '2.5.29.14': (value) => ({ subjectKeyId: readElement(value, 0).content }),
  '2.5.29.35': (value) => {
    const id = children(readElement(value, 0).content).find(({ tag }) => tag === 0x80);
    return id === undefined ? {} : { authorityKeyId: id.content };
  },
  '2.5.29.30': () => ({ hasNameConstraints: true }),
  '2.5.29.17': () => ({ hasAlternativeNames: true }),
  // Policies and revocation information are accepted and ignored, as in Go.
  '2.5.29.32': () => ({}),
  '2.5.29.31': () => ({}),
};

function extensionsOf(bracketed: Uint8Array): CertificateExtensions {
  let all: CertificateExtensions = {};
  for (const { content } of children(readElement(bracketed, 0).content)) {
    const [id, second, third] = children(content);
    const isCritical = third !== undefined && second!.content[0] !== 0;
    const value = (third ?? second)?.content;
    if (value === undefined) throw new DerError('x509: invalid extension');
    const oid = oidText(id!.content);
    const read = extensionReaders[oid];
    if (read !== undefined) all = { ...all, ...read(value) };
    else if (isCritical) all = { ...all, unknownCritical: oid };
  }
  return all;
}

function basicConstraints(value: Uint8Array): CertificateExtensions {
  const parts = children(readElement(value, 0).content);
  const isAuthority = parts.some(({ tag, content }) => tag === 0x01 && content[0] !== 0);
  const length = parts.find(({ tag }) => tag === 0x02);
  return {
    isAuthority,
    ...(length === undefined ? {} : { pathLengthMax: Number(integerOf(length.content)) }),
  };
}

/** Bit 5 of the key usages: keyCertSign. */
const keyUsageSigns = (bits: Uint8Array): boolean => ((bits[1] ?? 0) & 0x04) !== 0;
