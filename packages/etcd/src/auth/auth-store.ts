import { randomBytes } from 'node:crypto';
import type { Clock } from '@coxswain/apimachinery';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import type { Caller } from '@coxswain/grpc/server/method.ts';
import { emptyAuthState, userOf, type AuthState, type User } from './auth-state.ts';
import { isPassword } from './password.ts';

/** Persistence of the state. */
export interface AuthBackend {
  load(): AuthState;
  /** Resolves when the state is durable. */
  save(state: AuthState): void;
}

/** As etcd's simple tokens: each use extends the lifetime. */
const tokenMsDefault = 5 * 60 * 1000;
/** The maximum number of tokens; the least recently used one is dropped. */
const tokensMax = 10_000;

interface Token {
  readonly userName: string;
  readonly passwordHash: string;
  expiresAtMs: number;
}

/** Access control: the current state, and the tokens that were issued. */
export class AuthStore {
  #state: AuthState;
  readonly #keeper: AuthBackend | undefined;
  readonly #clock: Clock;
  readonly #tokenMs: number;
  readonly #tokens = new Map<string, Token>();

  constructor(clock: Clock, keeper?: AuthBackend, tokenMs: number = tokenMsDefault) {
    this.#tokenMs = tokenMs;
    this.#clock = clock;
    this.#keeper = keeper;
    this.#state = keeper?.load() ?? emptyAuthState;
  }

  get state(): AuthState {
    return this.#state;
  }

  change(next: (state: AuthState) => AuthState): void {
    const state = next(this.#state);
    if (state === this.#state) return;
    this.#keeper?.save(state);
    this.#state = state;
    if (!state.isEnabled) this.#tokens.clear();
  }

  /** A token for the user. @throws GrpcError */
  async authenticate(name: string, password: string): Promise<string> {
    if (!this.#state.isEnabled) throw etcdError('authNotEnabled');
    const passwordHash = this.#state.users[name]?.passwordHash;
    if (passwordHash === undefined || !(await isPassword(password, passwordHash)))
      throw etcdError('authFailed');
    const token = randomBytes(16).toString('hex');
    this.#tokens.set(token, {
      userName: name,
      passwordHash,
      expiresAtMs: this.#clock.monotonic() + this.#tokenMs,
    });
    if (this.#tokens.size > tokensMax) this.#tokens.delete(this.#tokens.keys().next().value!);
    return token;
  }

  /** Identifies the caller by token, or by the name in the certificate. @throws GrpcError */
  callerOf({ token, commonName }: Caller): { readonly name: string; readonly user: User } {
    const name = token === undefined ? commonName : this.#nameOf(token);
    if (name === undefined || name === '') throw etcdError('userEmpty');
    return { name, user: userOf(this.#state, name) };
  }

  #nameOf(text: string): string {
    const token = this.#tokens.get(text);
    const nowMs = this.#clock.monotonic();
    const isValid =
      token !== undefined &&
      token.expiresAtMs > nowMs &&
      this.#state.users[token.userName]?.passwordHash === token.passwordHash;
    if (!isValid) {
      this.#tokens.delete(text);
      throw etcdError('invalidAuthToken');
    }
    token.expiresAtMs = nowMs + this.#tokenMs;
    this.#tokens.delete(text);
    this.#tokens.set(text, token);
    return token.userName;
  }
}
