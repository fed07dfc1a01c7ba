/** The text of a file that is read again when it changes: authorities are renewed and configuration is edited. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { followFiles } from './followed-files.ts';

export interface FollowedTextParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * @param text what was read last
 * @param use gets what the file says now. Where it throws, the failure is logged, and the text is not tried again
 * @returns stops looking
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
