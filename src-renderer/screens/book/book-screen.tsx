import { Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { Page } from '../../components/page.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { EmptyBook } from './empty-book.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Home } from './home.tsx';

/** The first screen: what is in the book and what there is to do. */
export function BookScreen() {
  const book = useQuery('book.overview', {});
  const list = useQuery('reconciliations.list', { limit: 100 });
  if (book.failure !== undefined && book.value === undefined) {
    return (
      <Page title="Home" testId="book-overview">
        <FailurePanel title="The book could not be opened" failure={book.failure} onRetry={book.refetch} />
      </Page>
    );
  }
  if (book.value === undefined) {
    return (
      <Page title="Home" testId="book-loading">
        <Skeleton height={20} />
        <Skeleton height={220} />
      </Page>
    );
  }
  if (book.value.streams.length === 0) {
    return (
      <Page title={book.value.name} testId="book-overview" isFlush>
        <EmptyBook />
      </Page>
    );
  }
  return <BookWithLines book={book.value} isFirst={list.value?.data.length === 0} />;
}

function BookWithLines({ book, isFirst }: { readonly book: Output<'book.overview'>; readonly isFirst: boolean }) {
  const open = useNavigation((state) => state.open);
  const canReconcile = book.streams.filter(({ stream }) => holdsLines(stream)).length > 1;
  return (
    <Page
      title={book.name}
      testId="book-overview"
      isFlush
      actions={
        <WriteButton
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => open('new_reconciliation')}
          disabled={!canReconcile}
          data-testid="new-reconciliation"
        >
          New reconciliation
        </WriteButton>
      }
    >
      {isFirst ? <FirstSteps streams={book.streams} canReconcile={canReconcile} /> : <Home />}
    </Page>
  );
}
