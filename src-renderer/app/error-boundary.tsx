import { Component, type ReactNode } from 'react';
import { FailurePanel } from '../components/failure-panel.tsx';

interface State {
  readonly hasFailed: boolean;
}

/** A bug in one screen leaves the rest of the window usable. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div style={{ padding: '2rem' }}>
        <FailurePanel
          title="This screen could not be shown"
          failure={{ message: 'That is a fault of Tieout, not of your data; nothing was lost. Try again, or open another screen.' }}
          onRetry={() => this.setState({ hasFailed: false })}
        />
      </div>
    );
  }
}
