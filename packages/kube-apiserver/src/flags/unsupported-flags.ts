import type { ListedFlags } from '@coxswain/cobra';

/** Options whose effect somebody relies on and which this server doesn't have: refused. */
export const unsupportedFlags: ListedFlags = {
  Features: {
    string: ['debug-socket-path'],
  },
  Authentication: {
    bool: ['enable-bootstrap-token-auth'],
    string: [
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
    string: ['egress-selector-config-file'],
  },
  Traces: {
    string: ['tracing-config-file'],
  },
  Misc: {
    string: ['peer-ca-file', 'service-account-signing-endpoint'],
  },
};
