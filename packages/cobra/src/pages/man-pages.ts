/** A manual page (man(7)) for each command. */
import type { Command, CommandNode } from '../command/command.ts';
import { commandPath } from '../command/command-node.ts';
import { flagUsages } from '../help/flag-usages.ts';
import { useLine } from '../help/use-line.ts';
import { neighbours, visibleCommands } from './command-tree.ts';

export interface ManPageOptions {
  /** The section of the manual; defaults to 1, for programs. */
  readonly section?: string;
  /** `Nov 2026`, given so that the output is reproducible. */
  readonly date?: string;
  /** The software that a page belongs to, and the title of the manual. */
  readonly source?: string;
  readonly manual?: string;
}

/** Texts by file name: `kubectl-get.1`. Loads lazy commands. */
export async function manPages<C>(
  root: Command<C>,
  options: ManPageOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const { section = '1' } = options;
  const nodes = await visibleCommands(root);
  return new Map(
    nodes.map((node) => [`${pageName(node)}.${section}`, page(node, neighbours(node, nodes), options)]),
  );
}

const pageName = (node: CommandNode<never>): string => commandPath(node).replaceAll(' ', '-');

function page<C>(node: CommandNode<C>, beside: readonly CommandNode<C>[], options: ManPageOptions): string {
  const { section = '1', date = '', source = '', manual = '' } = options;
  const { short = '', long = short, example } = node.command;
  const title = [pageName(node).toUpperCase(), section, date, source, manual];
  const references = beside.map((other) => `\\fB${escaped(pageName(other))}(${section})\\fP`);
  return [
    `.TH ${title.map((word) => `"${escaped(word)}"`).join(' ')}`,
    `.SH NAME\n${escaped(`${pageName(node)} - ${short}`)}`,
    `.SH SYNOPSIS\n\\fB${escaped(useLine(node))}\\fP`,
    ...(long === '' ? [] : [`.SH DESCRIPTION\n${paragraphs(long)}`]),
    ...flags('OPTIONS', node, ['local', 'persistent']),
    ...flags('OPTIONS INHERITED FROM PARENT COMMANDS', node, ['inherited']),
    ...(example === undefined ? [] : [`.SH EXAMPLE\n${verbatim(example)}`]),
    ...(references.length === 0 ? [] : [`.SH SEE ALSO\n${references.join(', ')}`]),
    '',
  ].join('\n');
}

function flags(heading: string, node: CommandNode<never>, origins: readonly string[]): string[] {
  const usages = flagUsages(node.flags.all().filter(({ origin }) => origins.includes(origin)));
  return usages === '' ? [] : [`.SH ${heading}\n${verbatim(usages)}`];
}

const verbatim = (text: string): string => `.nf\n${lines(text.replace(/\n$/, ''))}\n.fi`;

const paragraphs = (text: string): string => lines(text.trim()).replaceAll(/\n{2,}/g, '\n.PP\n');

/** A line that begins with a full stop or an apostrophe would be a request. */
const lines = (text: string): string => escaped(text).replaceAll(/^(?=[.'])/gm, '\\&');

const escaped = (text: string): string => text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
