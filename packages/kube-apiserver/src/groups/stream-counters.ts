import type { StreamOperation } from '../kubelet-connection.ts';

/** What is counted of streams into pods, under the original's names. */
export interface StreamCounters {
  readonly routed: (operation: StreamOperation, isTranslatedHere: boolean) => void;
  readonly answered: (operation: StreamOperation, code: number) => void;
}
