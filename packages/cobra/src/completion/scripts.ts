/** The shell scripts for completion: each calls `PROGRAM __complete …` and follows the directive. */
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

export type Shell = keyof typeof scripts;

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell'];

export const completionScript = (shell: Shell, program: string): string => scripts[shell](program);
