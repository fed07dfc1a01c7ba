/** The observability of a server, and what it needs from its platform. */
import type { FlagTexts } from '@coxswain/apiserver/debug/flagz.ts';
import type { Profiler } from '@coxswain/apiserver/debug/profiles.ts';
import type { Verbosity } from '@coxswain/apiserver/debug/verbosity.ts';
import type { RequestLog } from '@coxswain/apiserver/filters/log-request.ts';
import type { MetricSettings } from '@coxswain/apimachinery/metrics/metric-settings.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Tracer } from '@coxswain/apiserver/tracing/tracer.ts';

export interface Observability {
  /** All metrics if unset. */
  readonly metrics?: MetricSettings | undefined;
  /** The command line's flags. */
  readonly flags?: FlagTexts;
  /** No profiles are offered if unset. */
  readonly profiler?: Profiler | undefined;
  readonly verbosity?: Verbosity;
  /** Receives requests as values; if unset each is a line of the log. */
  readonly requestLog?: RequestLog;
  /** Adds the platform's metrics of the process. */
  readonly describeProcess?: (metrics: Metrics) => void;
  /** The version that the server reports; its own if unset. */
  readonly gitVersion?: string;
  /** The runtime's version, in place of Go's. */
  readonly runtimeVersion?: string;
  readonly tracer?: Tracer | undefined;
}
