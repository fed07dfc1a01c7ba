import type { StreamOperation } from '../kubelet-connection.ts';

/** Counters of streams into pods, under upstream's names. */
export interface StreamCounters {
  readonly routed: (operation: StreamOperation, isTranslatedHere: boolean) => void;
  readonly answered: (operation: StreamOperation, code: number) => void;
}
