import { Skeleton, Stack } from '@mantine/core';

/** The outline of a screen that is on its way. */
export function ScreenSkeleton() {
  return (
    <Stack p="xl" gap="lg" aria-busy="true" aria-label="Loading">
      <Skeleton height={30} width={260} />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={320} radius="lg" />
    </Stack>
  );
}
