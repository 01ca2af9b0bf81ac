/** How a panel of the match bar stands: above its button, with the focus in it while it is open. */
export const ABOVE_THE_BAR = {
  position: 'top-end',
  trapFocus: true,
  returnFocus: true,
  withArrow: true,
  shadow: 'md',
  radius: 'lg',
} as const;
