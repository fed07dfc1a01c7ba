import type { ListedFlags } from '@coxswain/cobra';

/** Options whose effect somebody relies on and which this server doesn't have: refused. */
export const unsupportedFlags: ListedFlags = {
  Features: {
    string: ['debug-socket-path'],
  },
  Misc: {
    string: ['peer-ca-file'],
  },
};
