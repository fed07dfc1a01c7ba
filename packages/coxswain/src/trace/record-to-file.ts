import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';

/** Nobody but the owner reads what users and objects there were. */
const ownerOnly = 0o600;

/** Records until it is written. @throws Error at once for a file that can't be written */
export function recordToFile(recordings: RecordingSwitch, file: string): { write(): void } {
  closeSync(openSync(file, 'w', ownerOnly));
  const recording = recordings.record();
  return {
    write() {
      writeFileSync(file, `${JSON.stringify(recording.soFar())}\n`, { mode: ownerOnly });
      recording.stop();
    },
  };
}
