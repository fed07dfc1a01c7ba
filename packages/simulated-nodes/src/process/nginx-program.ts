/** `nginx` beside a running server: it signals the server or describes itself. */
import { complain, print, type Program } from './simulated-process.ts';

export const nginx: Program = async (process) => {
  const [option = '', signal = ''] = process.argv.slice(1);
  const say = (text: string) => print(process.stderr, `${text}\n`).then(() => 0);
  if (option === '-v') return say('nginx version: nginx/1.29.0');
  if (option === '-t') {
    const file = 'nginx: the configuration file /etc/nginx/nginx.conf syntax is ok';
    return say(`${file}\nnginx: configuration file /etc/nginx/nginx.conf test is successful`);
  }
  if (option !== '-s') return complain(process, '[emerg] bind() to 0.0.0.0:80 failed (98: Address in use)');
  if (!['stop', 'quit', 'reload', 'reopen'].includes(signal))
    return complain(process, `invalid option: "-s ${signal}"`);
  const master = process.processes.list().find(({ argv }) => argv[0]?.startsWith('nginx:'));
  if (signal === 'stop' || signal === 'quit') master?.end?.(0);
  return 0;
};
