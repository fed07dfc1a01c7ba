import type { ListedFlags } from '@coxswain/cobra';

/** Options whose effect somebody relies on and which this server doesn't have: refused. */
export const unsupportedFlags: ListedFlags = {
  Misc: {
    string: ['peer-ca-file'],
  },
};

/** Options of which this server can do no other than this. */
export const onlyValues: Readonly<Record<string, string>> = {
  'enable-garbage-collector': 'true',
  'aggregator-reject-forwarding-redirect': 'true',
  'max-connection-bytes-per-sec': '0',
};
