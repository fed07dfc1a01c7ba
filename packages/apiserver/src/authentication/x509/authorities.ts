/**
 * The certificate authorities whose client certificates are accepted, and the verification of certificates against them
 * by the rules of Go's crypto/x509. The TLS handshake cannot decide this: authorities change during the life of a
 * connection, and front proxies have authorities of their own.
 */
import { X509Certificate } from 'node:crypto';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ClientCertificate } from '../../http/api-request.ts';
import { readCertificate, type Certificate } from './certificate.ts';

/** @returns undefined if the certificate currently chains to an authority, otherwise the problem */
export interface Authorities {
  problemOf(certificate: ClientCertificate, nowMs: number): string | undefined;
}

/** The maximum number of signature checks per certificate; real chains need far fewer. */
const signatureChecksMax = 100;

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUsage = '2.5.29.37.0';

interface Verdict {
  readonly problem: string | undefined;
  /** The verdict is valid from `fromMs` until `untilMs`. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The authorities of a PEM bundle, which may be replaced while the server runs. */
export class AuthorityBundle implements Authorities {
  #roots: readonly Certificate[];
  #verdicts = new WeakMap<ClientCertificate, Verdict>();

  /** @throws Error when the bundle has no certificate, or an unreadable one */
  constructor(pem: string) {
    this.#roots = certificatesInPem(pem);
  }

  /** @throws Error and keeps the old bundle */
  exchange(pem: string): void {
    this.#roots = certificatesInPem(pem);
    this.#verdicts = new WeakMap();
  }

  problemOf(certificate: ClientCertificate, nowMs: number): string | undefined {
    let verdict = this.#verdicts.get(certificate);
    if (verdict === undefined || nowMs < verdict.fromMs || nowMs >= verdict.untilMs) {
      verdict = this.#judge(certificate, nowMs);
      this.#verdicts.set(certificate, verdict);
    }
    return verdict.problem;
  }

  #judge({ der, intermediates }: ClientCertificate, nowMs: number): Verdict {
    try {
      const leaf = readCertificate(der);
      const between = intermediates.map(readCertificate);
      const search = new ChainSearch(this.#roots, between, nowMs);
      const problem = search.problemOf(leaf);
      if (problem !== undefined) return { problem, fromMs: nowMs, untilMs: nowMs + refusalMsMax };
      const chain = search.chain;
      return {
        problem,
        fromMs: Math.max(...chain.map(({ notBeforeMs }) => notBeforeMs)),
        untilMs: Math.min(...chain.map(({ notAfterMs }) => notAfterMs)) + 1,
      };
    } catch (failure) {
      return { problem: messageOf(failure), fromMs: nowMs, untilMs: nowMs + refusalMsMax };
    }
  }
}

/** A certificate that is refused now may become valid a second later. */
const refusalMsMax = 1000;

const pemCertificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** @throws Error with upstream's message */
export function certificatesInPem(pem: string): Certificate[] {
  const found = (pem.match(pemCertificate) ?? []).map((block) =>
    readCertificate(new Uint8Array(new X509Certificate(block).raw)),
  );
  if (found.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
  return found;
}

class ChainSearch {
  readonly #roots: readonly Certificate[];
  readonly #between: readonly Certificate[];
  readonly #nowMs: number;
  #checks = 0;
  /** The chain that was found, starting with the certificate itself. */
  chain: readonly Certificate[] = [];

  constructor(roots: readonly Certificate[], between: readonly Certificate[], nowMs: number) {
    this.#roots = roots;
    this.#between = between;
    this.#nowMs = nowMs;
  }

  problemOf(leaf: Certificate): string | undefined {
    const problem = this.#validityProblem(leaf);
    if (problem !== undefined) return problem;
    const isRoot = this.#roots.some((root) => areEqual(root.der, leaf.der));
    const found = isRoot ? [leaf] : this.#chainFrom([leaf]);
    if (typeof found === 'string') return found;
    if (!found.every(allowsClientAuth)) return 'x509: certificate specifies an incompatible key usage';
    this.chain = found;
    return undefined;
  }

  /** A chain to a root, or the reason that there is none. */
  #chainFrom(chain: readonly Certificate[]): readonly Certificate[] | string {
    const child = chain.at(-1)!;
    let problem = 'x509: certificate signed by unknown authority';
    for (const [isRoot, pool] of [
      [true, this.#roots],
      [false, this.#between],
    ] as const) {
      for (const parent of pool) {
        if (!areEqual(parent.subject, child.issuer) || chain.includes(parent)) continue;
        if (++this.#checks > signatureChecksMax) return 'x509: signature check attempts limit reached';
        if (!hasSigned(parent, child)) continue;
        const parentProblem = this.#authorityProblem(parent, chain, isRoot);
        if (parentProblem !== undefined) {
          problem = parentProblem;
          continue;
        }
        const found = isRoot ? [...chain, parent] : this.#chainFrom([...chain, parent]);
        if (typeof found !== 'string') return found;
        problem = found;
      }
    }
    return problem;
  }

  #authorityProblem(parent: Certificate, chain: readonly Certificate[], isRoot: boolean): string | undefined {
    const { isAuthority, pathLengthMax, hasNameConstraints } = parent.extensions;
    if (!isRoot && isAuthority !== true) return notAuthorized;
    if (isAuthority === true && pathLengthMax !== undefined && chain.length - 1 > pathLengthMax) {
      return 'x509: too many intermediates for path length constraint';
    }
    // Constraints apply to alternative names, which clients rarely have: such certificates are refused, since
    // constraints are not implemented.
    if (hasNameConstraints && chain[0]!.extensions.hasAlternativeNames) {
      return 'x509: authority with name constraints has signed a certificate with alternative names';
    }
    return this.#validityProblem(parent);
  }

  #validityProblem({ notBeforeMs, notAfterMs, extensions }: Certificate): string | undefined {
    if (extensions.unknownCritical !== undefined) return 'x509: unhandled critical extension';
    const expired = 'x509: certificate has expired or is not yet valid: current time';
    if (this.#nowMs < notBeforeMs) return `${expired} ${time(this.#nowMs)} is before ${time(notBeforeMs)}`;
    if (this.#nowMs > notAfterMs) return `${expired} ${time(this.#nowMs)} is after ${time(notAfterMs)}`;
    return undefined;
  }
}

const notAuthorized = 'x509: certificate is not authorized to sign other certificates';

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** A certificate without extended key usages may be used for everything. */
const allowsClientAuth = ({ extensions: { extendedKeyUsages: usages } }: Certificate): boolean =>
  usages === undefined || usages.includes(clientAuth) || usages.includes(anyUsage);

function hasSigned(parent: Certificate, child: Certificate): boolean {
  const { isAuthority, maySign } = parent.extensions;
  if (isAuthority === false || maySign === false) return false;
  return new X509Certificate(child.der).verify(new X509Certificate(parent.der).publicKey);
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
