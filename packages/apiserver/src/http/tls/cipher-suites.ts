/** Cipher suites by the names that `--tls-cipher-suites` accepts, with OpenSSL's names for them. */

/** TLS 1.3's suites are always enabled, whatever the flag lists, as upstream. */
const suitesOfTls13 = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
] as const;

interface Tls12Suite {
  readonly openSsl: string;
  /** Upstream logs a warning when one of these is configured. */
  readonly isInsecure?: true;
}

const chaCha = { ecdsa: 'ECDHE-ECDSA-CHACHA20-POLY1305', rsa: 'ECDHE-RSA-CHACHA20-POLY1305' };

const suitesOfTls12: Readonly<Record<string, Tls12Suite>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: { openSsl: 'ECDHE-ECDSA-AES128-GCM-SHA256' },
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: { openSsl: 'ECDHE-RSA-AES128-GCM-SHA256' },
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: { openSsl: 'ECDHE-ECDSA-AES256-GCM-SHA384' },
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: { openSsl: 'ECDHE-RSA-AES256-GCM-SHA384' },
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: { openSsl: chaCha.ecdsa },
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: { openSsl: chaCha.ecdsa },
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: { openSsl: chaCha.rsa },
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: { openSsl: chaCha.rsa },
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: { openSsl: 'ECDHE-ECDSA-AES128-SHA' },
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: { openSsl: 'ECDHE-ECDSA-AES256-SHA' },
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: { openSsl: 'ECDHE-RSA-AES128-SHA' },
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: { openSsl: 'ECDHE-RSA-AES256-SHA' },
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: { openSsl: 'ECDHE-ECDSA-AES128-SHA256', isInsecure: true },
  TLS_ECDHE_ECDSA_WITH_RC4_128_SHA: { openSsl: 'ECDHE-ECDSA-RC4-SHA', isInsecure: true },
  TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA: { openSsl: 'ECDHE-RSA-DES-CBC3-SHA', isInsecure: true },
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: { openSsl: 'ECDHE-RSA-AES128-SHA256', isInsecure: true },
  TLS_ECDHE_RSA_WITH_RC4_128_SHA: { openSsl: 'ECDHE-RSA-RC4-SHA', isInsecure: true },
  TLS_RSA_WITH_3DES_EDE_CBC_SHA: { openSsl: 'DES-CBC3-SHA', isInsecure: true },
  TLS_RSA_WITH_AES_128_CBC_SHA: { openSsl: 'AES128-SHA', isInsecure: true },
  TLS_RSA_WITH_AES_128_CBC_SHA256: { openSsl: 'AES128-SHA256', isInsecure: true },
  TLS_RSA_WITH_AES_128_GCM_SHA256: { openSsl: 'AES128-GCM-SHA256', isInsecure: true },
  TLS_RSA_WITH_AES_256_CBC_SHA: { openSsl: 'AES256-SHA', isInsecure: true },
  TLS_RSA_WITH_AES_256_GCM_SHA384: { openSsl: 'AES256-GCM-SHA384', isInsecure: true },
  TLS_RSA_WITH_RC4_128_SHA: { openSsl: 'RC4-SHA', isInsecure: true },
};

/** Only authenticated suites with forward secrecy; upstream's default has four CBC suites as well. */
const suitesDefault = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
];

/** For the flag's help. */
export const preferredSuites: readonly string[] = [
  ...suitesOfTls13,
  ...Object.keys(suitesOfTls12).filter((name) => suitesOfTls12[name]!.isInsecure !== true),
].sort();

export const insecureSuites: readonly string[] = Object.keys(suitesOfTls12)
  .filter((name) => suitesOfTls12[name]!.isInsecure === true)
  .sort();

/** @throws Error with upstream's message for an unknown name */
export function checkCipherSuites(names: readonly string[]): void {
  const known: ReadonlySet<string> = new Set([...preferredSuites, ...insecureSuites]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`Cipher suite ${unknown} not supported or doesn't exist`);
}

/** OpenSSL's list in the server's order of preference; the default when `names` is empty. */
export function openSslCiphers(names: readonly string[]): string {
  const chosen = (names.length === 0 ? suitesDefault : names).flatMap((name) => suitesOfTls12[name] ?? []);
  return [...suitesOfTls13, ...new Set(chosen.map(({ openSsl }) => openSsl))].join(':');
}
