/** An engine as the suites receive it. */
import type { EngineStorage } from '../src/engine/engine-storage.ts';

export interface OpenedEngine {
  readonly storage: EngineStorage;
  readonly advance: (ms: number) => Promise<void>;
  readonly dispose?: () => Promise<void>;
}
