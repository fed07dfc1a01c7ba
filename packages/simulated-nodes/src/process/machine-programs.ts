/** BusyBox's programs that describe the machine. Every simulated container sees the same one. */
import { withOptions } from './declared-options.ts';
import { print } from './simulated-process.ts';

const cpus = 4;
const memoryKiB = 8 * 1024 * 1024;
const usedKiB = 1024 * 1024;
const diskKiB = 100 * 1024 * 1024;
const diskUsedKiB = 10 * 1024 * 1024;

export const nproc = withOptions({ letters: '', synopsis: '' }, async ({ stdout }) => {
  await print(stdout, `${cpus}\n`);
  return 0;
});

const memoryUnits: Readonly<Record<string, number>> = { b: 1 / 1024, k: 1, m: 1024, g: 1024 ** 2, h: 1024 };

export const free = withOptions({ letters: 'bkmgh', synopsis: '[-bkmgh]' }, async ({ stdout }, options) => {
  const letter = Object.keys(memoryUnits).find((one) => options.has(one)) ?? 'k';
  const row = (title: string, ...amounts: readonly number[]) => {
    const shown = amounts.map((amount) => {
      const count = Math.floor(amount / memoryUnits[letter]!);
      return (letter === 'h' && count > 0 ? `${(count / 1024).toFixed(1)}G` : String(count)).padStart(12);
    });
    return `${title.padEnd(7)}${shown.join('')}\n`;
  };
  const available = memoryKiB - usedKiB;
  const titles = ['total', 'used', 'free', 'shared', 'buff/cache', 'available'];
  await print(
    stdout,
    `       ${titles.map((title) => title.padStart(12)).join('')}\n` +
      row('Mem:', memoryKiB, usedKiB, available, 0, 0, available) +
      row('Swap:', 0, 0, 0),
  );
  return 0;
});

export const df = withOptions(
  { letters: 'PkmhTaiB:t:', synopsis: '[-PkmhTai] [FILESYSTEM]...' },
  async ({ stdout }, options) => {
    const [unit, title] = options.has('h')
      ? [1024 ** 2, 'Size']
      : options.has('m')
        ? [1024, '1M-blocks']
        : [1, '1K-blocks'];
    const shown = (kib: number) =>
      options.has('h') ? `${(kib / unit).toFixed(1)}G` : String(Math.floor(kib / unit));
    const columns = (words: readonly string[]) =>
      `${words[0]!.padEnd(20)} ${words
        .slice(1, 4)
        .map((word) => word.padStart(9))
        .join(' ')} ${words[4]} ${words[5]}\n`;
    const used = `${Math.ceil((diskUsedKiB * 100) / diskKiB)}%`.padStart(4);
    const sizes = [diskKiB, diskUsedKiB, diskKiB - diskUsedKiB].map(shown);
    await print(
      stdout,
      columns(['Filesystem', title, 'Used', 'Available', 'Use%', 'Mounted on']) +
        columns(['overlay', ...sizes, used, options.operands[0] ?? '/']),
    );
    return 0;
  },
);

export const uptime = withOptions({ letters: 's', synopsis: '' }, async ({ clock, stdout }) => {
  const time = new Date(clock.now()).toISOString().slice(11, 19);
  await print(stdout, ` ${time} up 1 day,  load average: 0.00, 0.00, 0.00\n`);
  return 0;
});
