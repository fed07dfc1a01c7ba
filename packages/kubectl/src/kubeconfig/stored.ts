/** Kubeconfig files as stored on disk: read without resolving paths, changed entry by entry, and written back. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { kubeconfigFiles, readKubeconfigAsItIs } from '@coxswain/client/kubeconfig/load.ts';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from '@coxswain/client/kubeconfig/kubeconfig.ts';
import { orderedConfig } from './ordered.ts';

/** An entry and its file; undefined for new ones. */
export interface Stored<T> {
  readonly file: string | undefined;
  readonly value: T;
}

type Section<T> = Map<string, Stored<T>>;

export interface Preferences {
  readonly colors?: unknown;
  readonly extensions?: unknown;
}

export interface StoredConfig {
  currentContext: string;
  preferences: Preferences;
  readonly clusters: Section<KubeconfigCluster>;
  readonly users: Section<KubeconfigUser>;
  readonly contexts: Section<KubeconfigContext>;
}

const sections = [
  ['clusters', 'cluster'],
  ['users', 'user'],
  ['contexts', 'context'],
] as const;

/** Selects the files: the named one, or those in `env`. */
export interface KubeconfigPlace {
  readonly io: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly workingDirectory: string;
  };
  /** `kubeconfig` is empty if no file is named. */
  readonly globals: { readonly kubeconfig: string };
}

export class KubeconfigStore {
  readonly #files: readonly string[];
  readonly #read = new Map<string, Kubeconfig>();
  /** The first file with preferences. */
  #preferencesFile: string | undefined;
  /** The file for new entries. */
  readonly defaultFile: string;
  /** How messages refer to the configuration: as it was given. */
  readonly shownFile: string;
  readonly config: StoredConfig = {
    currentContext: '',
    preferences: {},
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };

  /** @throws Error if a file can't be read */
  constructor({ io: { env, workingDirectory }, globals }: KubeconfigPlace) {
    const explicit = globals.kubeconfig;
    const files = explicit === '' ? kubeconfigFiles(env) : [explicit];
    this.#files = files.map((file) => (isAbsolute(file) ? file : join(workingDirectory, file)));
    const found = this.#files.findIndex((file) => existsSync(file));
    this.defaultFile = this.#files.at(found) as string;
    this.shownFile = files.at(found) as string;
    for (const [at, file] of this.#files.entries()) if (existsSync(file)) this.#add(file, files[at]!);
  }

  #add(file: string, shownAs: string): void {
    const content = readKubeconfigAsItIs(file, shownAs);
    this.#read.set(file, content);
    this.config.currentContext ||= content['current-context'] ?? '';
    if (!this.#preferencesFile && content.preferences) {
      this.#preferencesFile = file;
      this.config.preferences = content.preferences;
    }
    for (const [section, member] of sections) {
      const entries = this.config[section] as Section<unknown>;
      const names = new Set(entries.keys());
      for (const entry of content[section] ?? []) {
        // The first of several files takes precedence; within a file, the last entry.
        const { name = '' } = entry;
        if (names.has(name)) continue;
        entries.set(name, { file, value: (entry as unknown as Record<string, unknown>)[member] ?? {} });
      }
    }
  }

  /** Writes every file that has changed. */
  save(): void {
    const contents = new Map<string, Kubeconfig>();
    const contentOf = (file: string): Kubeconfig => {
      const content = contents.get(file) ?? {
        ...this.#read.get(file),
        clusters: [],
        users: [],
        contexts: [],
      };
      contents.set(file, content);
      return content;
    };
    for (const [file, content] of this.#read) this.#keepHidden(file, content, contentOf(file));
    for (const [section, member] of sections) {
      for (const [name, { file = this.defaultFile, value }] of this.config[section]) {
        (contentOf(file)[section] as unknown[]).push({ name, [member]: relativePaths(value, dirname(file)) });
      }
    }
    this.#saveCurrentContext(contentOf);
    const { preferences } = this.config;
    const before = this.#preferencesFile && this.#read.get(this.#preferencesFile)?.preferences;
    if (before !== preferences && (before || Object.keys(preferences).length > 0)) {
      contentOf(this.#preferencesFile ?? this.defaultFile).preferences = preferences;
    }
    for (const [file, content] of contents) {
      const text = writeYaml(orderedConfig(content));
      const before = this.#read.get(file);
      if (before === undefined || writeYaml(orderedConfig(before)) !== text) writeConfig(file, text);
    }
  }

  /** Entries hidden by an earlier file remain where they are. */
  #keepHidden(file: string, content: Kubeconfig, written: Kubeconfig): void {
    for (const [section] of sections) {
      const entries = this.config[section] as Section<unknown>;
      const hidden = (content[section] ?? []).filter(({ name }) => {
        const shown = entries.get(name);
        return shown !== undefined && shown.file !== undefined && shown.file !== file;
      });
      (written[section] as unknown[]).push(...hidden);
    }
  }

  #saveCurrentContext(contentOf: (file: string) => Kubeconfig): void {
    const { currentContext } = this.config;
    const holders = [...this.#read].filter(([, content]) => content['current-context']).map(([file]) => file);
    const before =
      holders.length === 0 ? '' : (this.#read.get(holders[0] as string)?.['current-context'] ?? '');
    if (before === currentContext) return;
    if (currentContext !== '') contentOf(holders[0] ?? this.defaultFile)['current-context'] = currentContext;
    else for (const file of holders) contentOf(file)['current-context'] = '';
  }
}

/**
 * Writes atomically, using the lock that kubectl and kind respect. Symbolic links are kept.
 * @throws Error if another program holds the lock
 */
function writeConfig(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
  const place = existsSync(file) ? realpathSync(file) : file;
  const lock = `${file}.lock`;
  try {
    closeSync(openSync(lock, 'wx', 0o600));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(`open ${lock}: ${code === 'EEXIST' ? 'file exists' : message}`, { cause });
  }
  try {
    const beside = `${place}.${process.pid}`;
    writeFileSync(beside, text, { mode: 0o600, flush: true });
    renameSync(beside, place);
  } finally {
    rmSync(lock, { force: true });
  }
}

const pathMembers = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'] as const;

/** Paths below the file's directory are written relative to it. */
function relativePaths(value: object, directory: string): object {
  const changed: Record<string, unknown> = { ...value };
  for (const member of pathMembers) {
    const path = changed[member];
    if (typeof path !== 'string' || !isAbsolute(path)) continue;
    const shorter = relative(directory, path);
    if (!shorter.startsWith('..')) changed[member] = shorter;
  }
  return changed;
}
