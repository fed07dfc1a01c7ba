/** Pages are loaded when they are first opened; one that fails leaves the others usable. */

import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Loading } from './notice.tsx';

export function lazy<P extends object = object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyPage(props: P) {
    const [Page, setPage] = useState<{ readonly component: ComponentType<P> } | undefined>(
      loaded && { component: loaded },
    );
    const [failure, setFailure] = useState<unknown>(undefined);
    useEffect(() => {
      if (loaded === undefined)
        load().then(({ default: component }) => {
          loaded = component;
          setPage({ component });
        }, setFailure);
    }, []);
    if (failure !== undefined) return <Failed failure={failure} />;
    return Page === undefined ? <Loading /> : <Page.component {...props} />;
  };
}

interface BoundaryState {
  readonly failure?: unknown;
}

export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = {};

  static override getDerivedStateFromError(failure: unknown): BoundaryState {
    return { failure };
  }

  override render() {
    return this.state.failure === undefined ? this.props.children : <Failed failure={this.state.failure} />;
  }
}
