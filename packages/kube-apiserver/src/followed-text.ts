/** The text of a file that is reloaded when it changes, such as authorities or configuration. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { followFiles } from './followed-files.ts';

export interface FollowedTextParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * @param text what was last read
 * @param use receives the new text. If it throws, the failure is logged and the text not tried again
 * @returns a function to stop
 */
export function followText(
  file: string,
  text: string,
  use: (text: string) => void,
  { clock, log }: FollowedTextParts,
): () => void {
  let lastText = text;
  return followFiles([file], clock, () => {
    try {
      const next = readFileSync(file, 'utf8');
      if (next === lastText) return;
      lastText = next;
      use(next);
    } catch (failure) {
      log(`reading ${file} again: ${messageOf(failure)}`);
    }
  });
}
