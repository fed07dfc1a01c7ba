import type { FlagLists } from './flag-lists.ts';

/** Options whose effect somebody relies on and which this server doesn't have: refused. */
export const unsupportedFlags: FlagLists = {
  Generic: {
    values: ['external-hostname'],
    lists: ['emulated-version', 'min-compatibility-version'],
  },
  'Secure serving': {
    values: ['tls-curve-preferences', 'tls-min-version'],
    lists: ['tls-cipher-suites', 'tls-sni-cert-key'],
  },
  Features: {
    values: ['debug-socket-path'],
  },
  Authentication: {
    switches: ['enable-bootstrap-token-auth'],
    values: [
      'authentication-config',
      'authentication-token-webhook-config-file',
      'oidc-ca-file',
      'oidc-client-id',
      'oidc-issuer-url',
      'requestheader-client-ca-file',
      'service-account-jwks-uri',
    ],
  },
  'Egress selector': {
    values: ['egress-selector-config-file'],
  },
  Traces: {
    values: ['tracing-config-file'],
  },
  Misc: {
    values: ['kubernetes-service-node-port', 'peer-ca-file', 'service-account-signing-endpoint'],
  },
};
