/** field.Path: the location of an error in an object. Formatted only when an error is made. */

export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #element: string;
  readonly #subscript: boolean;

  private constructor(parent: FieldPath | undefined, element: string, subscript: boolean) {
    this.#parent = parent;
    this.#element = element;
    this.#subscript = subscript;
  }

  static of(name: string, ...names: readonly string[]): FieldPath {
    return new FieldPath(undefined, name, false).child(...names);
  }

  /** `spec` → `spec.containers` */
  child(...names: readonly string[]): FieldPath {
    return names.reduce<FieldPath>((path, name) => new FieldPath(path, name, false), this);
  }

  /** `spec.containers` → `spec.containers[0]` */
  index(index: number): FieldPath {
    return new FieldPath(this, String(index), true);
  }

  /** `metadata.labels` → `metadata.labels[app]` */
  key(key: string): FieldPath {
    return new FieldPath(this, key, true);
  }

  toString(): string {
    const own = this.#subscript || this.#element === '' ? `[${this.#element}]` : this.#element;
    if (this.#parent === undefined) return own;
    const separator = own.startsWith('[') && (this.#subscript || this.#element === '') ? '' : '.';
    return `${this.#parent.toString()}${separator}${own}`;
  }
}
