/** BusyBox's programs that show who runs them. */
import { readOptionWords } from './option-words.ts';
import { complain, print, type Program } from './simulated-process.ts';
import { nameOfId } from './user.ts';

const withName = (id: number): string => (id === 0 ? '0(root)' : String(id));

/** `id [-u|-g|-G] [-n]` */
export const id: Program = async (process) => {
  const { uid, gid, groups } = process.user;
  const { options, operands } = readOptionWords(process.argv.slice(1), new Set());
  const [name] = operands;
  if (name !== undefined && name !== 'root') return complain(process, `unknown user ${name}`);
  const shown = options.has('-n') ? nameOfId : String;
  const asked = options.has('-u') ? [uid] : options.has('-g') ? [gid] : options.has('-G') ? groups : [];
  const all = `uid=${withName(uid)} gid=${withName(gid)} groups=${groups.map(withName).join(',')}`;
  await print(process.stdout, `${asked.map(shown).join(' ') || all}\n`);
  return 0;
};

export const whoami: Program = async (process) => {
  const { uid } = process.user;
  if (uid !== 0) return complain(process, `unknown uid ${uid}`);
  await print(process.stdout, 'root\n');
  return 0;
};

export const groups: Program = async ({ user, stdout }) => {
  await print(stdout, `${user.groups.map(nameOfId).join(' ')}\n`);
  return 0;
};
