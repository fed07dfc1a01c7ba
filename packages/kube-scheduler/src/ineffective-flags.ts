/**
 * Upstream's options that have no effect here: accepted, so that the same command line starts either program, and
 * checked by type.
 */
import { ineffective, listedFlags } from '@coxswain/cobra';

export const ineffectiveFlags = listedFlags(
  {
    'Secure serving': {
      string: 'tls-sni-cert-key',
      bool: 'permit-address-sharing',
    },
    Metrics: {
      stringToString: 'allow-metric-labels',
      string: 'allow-metric-labels-manifest show-hidden-metrics-for-version',
      stringSlice: 'disabled-metrics',
    },
    Logs: {
      bool: 'log-json-split-stream log-text-split-stream',
      duration: 'log-flush-frequency=5s',
      string: 'log-json-info-buffer-size log-text-info-buffer-size logging-format=text vmodule',
    },
  },
  ineffective,
);
