import type { ListedFlags } from '@coxswain/cobra';

/** Flags whose effect users would rely on but this server lacks: refused. */
export const unsupportedFlags: ListedFlags = {
  Misc: { string: 'peer-ca-file' },
};

/** Flags for which this server supports only this value. */
export const onlyValues: Readonly<Record<string, string>> = {
  'enable-garbage-collector': 'true',
  'aggregator-reject-forwarding-redirect': 'true',
  'max-connection-bytes-per-sec': '0',
};
