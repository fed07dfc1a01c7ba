/** Kernel settings that a node is to have: what the kernel does when memory runs out, when it panics, and how many keys there may be. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

const wanted: Readonly<Record<string, number>> = {
  // Memory is always given: what is too much is ended later.
  'vm/overcommit_memory': 1,
  // Somebody is killed, the machine is not stopped.
  'vm/panic_on_oom': 0,
  // Seconds after which a machine whose kernel has panicked starts again.
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  // Each container takes keys of root.
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};

/**
 * Sets what is otherwise. Answers with what can't be set, as in a container that may not: a node all the same, where the
 * original gives up.
 * @param isProtected nothing is changed: what is otherwise is an error, as `protectKernelDefaults` says
 * @param folder `/proc/sys`
 * @throws Error that tells each that is wrong
 */
export function settleKernel(isProtected: boolean, folder = '/proc/sys'): readonly string[] {
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    const problem = settle(path.join(folder, name), name, value, isProtected);
    return problem === undefined ? [] : [problem];
  });
  if (!isProtected || wrong.length === 0) return wrong;
  throw new Error(wrong.length === 1 ? wrong[0] : `[${wrong.join(', ')}]`);
}

function settle(file: string, name: string, value: number, isProtected: boolean): string | undefined {
  try {
    const actual = Number(readFileSync(file, 'utf8'));
    if (actual === value) return undefined;
    if (isProtected) return `invalid kernel flag: ${name}, expected value: ${value}, actual value: ${actual}`;
    writeFileSync(file, String(value));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
