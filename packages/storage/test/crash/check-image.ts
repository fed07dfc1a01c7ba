/**
 * `check-image.ts DIRECTORY`, with the acknowledged writes on standard input: fails with the reason when one is
 * missing.
 */
import { readFileSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { checkAcknowledged } from './acknowledged.ts';

const acknowledged = new Map(JSON.parse(readFileSync(0, 'utf8')));
try {
  await checkAcknowledged(process.argv[2]!, acknowledged as Parameters<typeof checkAcknowledged>[1]);
} catch (failure) {
  console.log(messageOf(failure));
  process.exitCode = 1;
}
