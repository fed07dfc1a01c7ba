/** What the server tells of itself: logs, metrics, traces, profiles. */
import { parseQuantity } from '@coxswain/schema/scalars/quantity.ts';
import { bool, duration, flagOf, section, string, stringSlice, stringToString } from '@coxswain/cobra';
import { level } from '../flags/flag-kinds.ts';

/** `pattern=N,…`, as text. */
const verbosityPatterns = flagOf<string>(
  { typeName: 'pattern=N,...', read: (text) => text, show: (text) => text },
  '',
);

/** A number of bytes as a quantity, as text. */
const quantity = flagOf<string>(
  {
    typeName: 'quantity',
    read(text) {
      parseQuantity(text);
      return text;
    },
    show: (text) => text,
  },
  '',
);

export const observabilityFlags = {
  ...section('Features', {
    debugSocketPath: string({
      usage: 'A Unix socket that offers profiles and the verbosity to this server’s user, unasked.',
    }),
    profiling: bool({ default: true, usage: 'Offer profiles of the process below /debug/pprof/.' }),
  }),
  ...section('Etcd', {
    etcdCountMetricPollPeriod: duration({
      default: 60_000,
      usage:
        'With 0, objects in the store are not counted in metrics; otherwise whenever metrics are asked for.',
    }),
    etcdDbMetricPollInterval: duration({
      default: 30_000,
      usage:
        'With 0, the size of the store is no metric; otherwise it is measured whenever metrics are asked for.',
    }),
  }),
  ...section('Metrics', {
    allowMetricLabels: stringToString({
      usage: 'Values of labels that are told, as metric,label=value,value; other values become unexpected.',
    }),
    allowMetricLabelsManifest: string({ usage: 'A file with what --allow-metric-labels says.' }),
    disabledMetrics: stringSlice({ usage: 'Metrics that are not told.' }),
    showHiddenMetricsForVersion: string({
      usage: 'The version before this one, to be told metrics that were hidden since.',
    }),
  }),
  ...section('Traces', {
    tracingConfigFile: string({ usage: 'The file that says where spans of requests are sent.' }),
  }),
  ...section('Logs', {
    logFlushFrequency: duration({ default: 5_000, usage: 'How often the log is written out at the latest.' }),
    logJsonInfoBufferSize: quantity({ usage: 'An alpha option of the original: refused unless 0.' }),
    logJsonSplitStream: bool({ usage: 'An alpha option of the original: refused.' }),
    logTextInfoBufferSize: quantity({ usage: 'An alpha option of the original: refused unless 0.' }),
    logTextSplitStream: bool({ usage: 'An alpha option of the original: refused.' }),
    loggingFormat: string({ default: 'text', usage: 'How the log is written: text or json.' }),
    v: level({ shorthand: 'v', usage: 'How much is logged; from 3 on, every request.' }),
    vmodule: verbosityPatterns({ usage: 'How much is logged by single files: pattern=N,… ; only as text.' }),
  }),
};
