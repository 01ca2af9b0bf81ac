import { ActionIcon, Button, Menu, Title, VisuallyHidden } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconCheck, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { countText } from '../format/counts.ts';
import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import styles from './primitives.module.css';
import { say } from '../../src-shared/words/say.ts';

/** Returns the class names that are given, as one attribute. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== false).join(' ');
}

interface PanesProps extends ComponentProps<'div'> {
  /** Widths of the panes, as for `grid-template-columns`; `1fr` takes the rest. */
  readonly columns: string;
  /** Widths in a room of 1380 px and more; as `columns` without them. */
  readonly wide?: string;
  /** Widths in a room below 1180 px; as `columns` without them. Below 860 px the panes always follow one another. */
  readonly narrow?: string;
}

/** Panes side by side, each of which scrolls by itself. The caller gives the widths, and one `Pane` or element for each. */
export function Panes({ columns, wide, narrow, className, children, ...rest }: PanesProps) {
  const widths = (text: string): string => text.replaceAll('1fr', 'minmax(0, 1fr)');
  const style = {
    '--panes': widths(columns),
    '--panes-wide': widths(wide ?? columns),
    '--panes-narrow': widths(narrow ?? columns),
  } as CSSProperties;
  return (
    <div className={classes(styles.panes, className)} style={style} {...rest}>
      {children}
    </div>
  );
}

interface PaneProps extends ComponentProps<'section'> {
  /** `main`: the content. `list`: the choice at the left of it. `aside`: what belongs to it, at the right. */
  readonly kind?: 'main' | 'list' | 'aside';
}

/** One of several panes. The caller names it by `aria-label`; all that it contains keeps the same distance from its edge. */
export function Pane({ kind = 'main', className, children, ...rest }: PaneProps) {
  const Element = kind === 'aside' ? 'aside' : 'section';
  return (
    <Element className={classes(styles.pane, className)} data-kind={kind} {...rest}>
      {children}
    </Element>
  );
}

interface PaneHeaderProps {
  readonly title: string;
  readonly id: string;
  /** A number or a note behind the name. */
  readonly count?: ReactNode;
  /** Actions, at the right. */
  readonly children?: ReactNode;
}

/** The name of a pane, with its actions. */
export function PaneHeader({ title, id, count, children }: PaneHeaderProps) {
  return (
    <div className={styles.paneHeader}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {count !== undefined && <span className={classes(styles.paneCount, 'truncate')}>{count}</span>}
      <span className={styles.space} />
      {children}
    </div>
  );
}

interface BarProps extends ComponentProps<'div'> {
  /** `top`: a strip of facts or filters above the content. `bottom`: sums and actions below it. */
  readonly edge?: 'top' | 'bottom';
}

/** A bar of facts, figures and actions in one row, with a line towards the content. What does not fit wraps. */
export function Bar({ edge = 'top', className, children, ...rest }: BarProps) {
  return (
    <div className={classes(styles.bar, className)} data-edge={edge} {...rest}>
      {children}
    </div>
  );
}

interface EmptyStateProps extends Omit<ComponentProps<'div'>, 'title'> {
  readonly title: ReactNode;
}

/** Says in place of content why there is none, and offers what can be done. The caller gives the sentences and the buttons. */
export function EmptyState({ title, className, children, ...rest }: EmptyStateProps) {
  return (
    <div className={classes(styles.empty, className)} {...rest}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Shapes. `done`: a dot. `prepared`: a square. `open`: a ring. `broken`: a diamond. `under_way`: a half-filled circle. `none`: a dash. */
export type StateTone = 'done' | 'prepared' | 'open' | 'broken' | 'under_way' | 'none';

/** The shape of a state before its words. It is hidden from screen readers, so the words name the state as well. */
export function Mark({ tone }: { readonly tone: StateTone }) {
  return <span className={styles.mark} data-tone={tone} aria-hidden />;
}

interface StateBadgeProps {
  readonly tone: StateTone;
  readonly children: ReactNode;
  /** Whether the badge has no background, for use among figures. */
  readonly isPlain?: boolean;
  readonly title?: string | undefined;
  readonly testId?: string | undefined;
}

/** A state in words with its own shape, so that colour is not the only sign. */
export function StateBadge({ tone, children, isPlain = false, title, testId }: StateBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} data-plain={isPlain || undefined} title={title} data-testid={testId}>
      <Mark tone={tone} />
      <span className="truncate">{children}</span>
    </span>
  );
}

interface BandProps extends ComponentProps<'section'> {
  /** Colours the ground and the icon; `none` is neutral. */
  readonly tone: StateTone;
  /** Stands before the words. Without one the band has the mark of its tone. */
  readonly icon?: ReactNode;
  /** Buttons at the right. */
  readonly actions?: ReactNode;
}

/** A message across a pane. The caller gives the words: an `h2` or `b`, sentences, links. */
export function Band({ tone, icon, actions, className, children, ...rest }: BandProps) {
  return (
    <section className={classes(styles.band, className)} data-tone={tone} {...rest}>
      <span className={styles.bandIcon}>{icon ?? <Mark tone={tone} />}</span>
      <div className={styles.bandWords}>{children}</div>
      {actions}
    </section>
  );
}

/** The letter of a side, A or B, or initials. */
export function Letter({ className, ...rest }: ComponentProps<'span'>) {
  return <span className={classes(styles.letter, className)} {...rest} />;
}

interface FactProps {
  readonly name: string;
  readonly value: ReactNode;
  /** A further explanation, as tooltip. */
  readonly title?: string | undefined;
  readonly testId?: string | undefined;
}

/** One name with its value, in `Facts`. */
export function Fact({ name, value, title, testId }: FactProps) {
  return (
    <div title={title} data-testid={testId}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface FactsProps {
  /** Facts without a value are left out by the caller. */
  readonly facts?: readonly FactProps[] | undefined;
  /** `rows`: the value beside its name. `cards`: below it, as many side by side as fit. */
  readonly layout?: 'rows' | 'cards';
  readonly className?: string | undefined;
  /** Further facts, each a `Fact`. */
  readonly children?: ReactNode;
}

/** Names with their values. Long values wrap and are never cut. */
export function Facts({ facts, layout = 'rows', className, children }: FactsProps) {
  return (
    <dl className={classes(styles.facts, className)} data-layout={layout}>
      {facts?.map((fact) => (
        <Fact key={fact.name} {...fact} />
      ))}
      {children}
    </dl>
  );
}

interface StepsProps extends Omit<ComponentProps<'aside'>, 'title'> {
  readonly title: ReactNode;
  /** Controls between the title and the steps. */
  readonly controls?: ReactNode;
}

/** Steps one below the other, in a pane at the left. The caller gives a `Step` for each. */
export function Steps({ title, controls, className, children, ...rest }: StepsProps) {
  return (
    <aside className={classes(styles.steps, className)} {...rest}>
      <h2>{title}</h2>
      {controls}
      <ol className="plain">{children}</ol>
    </aside>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: ReactNode;
  readonly state: 'done' | 'now' | 'to_come';
  /** Says the state to screen readers, after the title. */
  readonly said: string;
  /** Whether the current step waits for something. */
  readonly isWaiting?: boolean;
  readonly children?: ReactNode;
  readonly testId?: string;
}

/** One step: its number, or a tick when it is done, its name, and what is to say about it. */
export function Step({ number, title, state, said, isWaiting = false, children, testId }: StepProps) {
  return (
    <li
      className={styles.step}
      data-state={state}
      data-waits={isWaiting || undefined}
      aria-current={state === 'now' ? 'step' : undefined}
      data-testid={testId}
    >
      <span className={styles.number} aria-hidden>
        {state === 'done' ? <IconCheck size={12} stroke={2.75} /> : number}
      </span>
      <div>
        <b>
          {title}
          <VisuallyHidden>, {said}</VisuallyHidden>
        </b>
        {children}
      </div>
    </li>
  );
}

interface ChoiceProps extends Pick<ComponentProps<'input'>, 'name' | 'checked' | 'onChange' | 'onFocus' | 'value' | 'disabled' | 'ref'> {
  readonly label: ReactNode;
  /** Explains the choice, below its label. */
  readonly hint?: ReactNode;
  /** Behind the label: the key of the choice. */
  readonly after?: ReactNode;
  readonly testId?: string;
  /** Whether a dialog focuses this choice when it opens. */
  readonly 'data-autofocus'?: boolean | undefined;
}

/** One of several choices as a field with a radio button. The caller puts those that exclude each other into a `fieldset`, with the same `name`. */
export function Choice({ label, hint, after, testId, ...input }: ChoiceProps) {
  return (
    <label className={styles.choice} data-testid={testId}>
      <input type="radio" {...input} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
      {after}
    </label>
  );
}

interface ChoicesProps extends ComponentProps<'fieldset'> {
  readonly legend: ReactNode;
  /** Whether the choices stand side by side as far as they fit. */
  readonly isRow?: boolean;
}

/** A question with its choices, which the caller gives as `Choice`. */
export function Choices({ legend, isRow = false, className, children, ...rest }: ChoicesProps) {
  return (
    <fieldset className={classes(styles.choices, className)} {...rest}>
      <legend>{legend}</legend>
      <div data-row={isRow || undefined}>{children}</div>
    </fieldset>
  );
}

interface NoteProps extends ComponentProps<'p'> {
  readonly tone?: 'open' | 'broken';
}

/** A doubt or a refusal in one sentence, below what it is about. */
export function Note({ tone = 'open', className, children, ...rest }: NoteProps) {
  return (
    <p className={classes(styles.note, className)} data-tone={tone} {...rest}>
      <IconAlertTriangle size={14} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** A button that reads as a link, for an action within a text. */
export function TextButton({ className, children, ...rest }: ComponentProps<'button'>) {
  return (
    <button type="button" className={classes(styles.bare, styles.textButton, className)} {...rest}>
      {children}
    </button>
  );
}

interface FigureButtonProps {
  /** Describes the lines of the figure: `508 lines to send`. */
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
  /** The tooltip, if it is not the label. */
  readonly title?: string;
  /** Whether its lines are visible now. */
  readonly isOn?: boolean;
  readonly testId?: string;
}

/** An underlined figure. A click or Enter opens its lines beside it. */
export function FigureButton({ label, onClick, children, title = label, isOn = false, testId }: FigureButtonProps) {
  return (
    <button
      type="button"
      className={classes(styles.bare, styles.figure)}
      title={title}
      aria-label={label}
      aria-haspopup="dialog"
      data-on={isOn || undefined}
      onClick={onClick}
      data-testid={testId}
    >
      {children}
    </button>
  );
}

interface FigureLinkProps {
  readonly place: Place;
  /** Describes the lines of the figure: `74 open lines`. */
  readonly label: string;
  readonly children: ReactNode;
  readonly tabIndex?: number;
}

/** An underlined figure. A click or Enter goes to its lines. */
export function FigureLink({ place, label, children, tabIndex }: FigureLinkProps) {
  const go = useNavigation((state) => state.go);
  return (
    <a
      className={styles.figure}
      href={`#${placeText(place)}`}
      title={label}
      aria-label={label}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        go(place);
      }}
    >
      {children}
    </a>
  );
}

interface PagerProps {
  /** Plural noun of the list: `items`. */
  readonly what: string;
  readonly page: number;
  readonly count: number;
  /** Items on one page. */
  readonly size: number;
  readonly onPage: (page: number) => void;
}

/** Moves between the pages of a long list. */
export function Pager({ what, page, count, size, onPage }: PagerProps) {
  const last = Math.min(count, (page + 1) * size);
  return (
    <div className={styles.pager} data-testid={`${what}-pager`}>
      <ActionIcon
        variant="default"
        aria-label={say('common.primitives.earlier', { what })}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
        data-testid={`earlier-${what}`}
      >
        <IconChevronLeft size={15} aria-hidden />
      </ActionIcon>
      <span aria-live="polite">
        {say('common.primitives.toOf', { page: countText(page * size + 1), last: countText(last), count: countText(count) })}
      </span>
      <ActionIcon
        variant="default"
        aria-label={say('common.primitives.later', { what })}
        disabled={last >= count}
        onClick={() => onPage(page + 1)}
        data-testid={`later-${what}`}
      >
        <IconChevronRight size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface ListMenuProps {
  readonly label: string;
  readonly title?: string;
  readonly icon: Icon;
  readonly isLoading?: boolean;
  readonly children: ReactNode;
  readonly testId: string;
}

/** A menu about a whole list, behind a small button with an icon at the list's head. */
export function ListMenu({ label, title = label, icon: Drawn, isLoading = false, children, testId }: ListMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md" returnFocus>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          px={6}
          flex="none"
          aria-label={label}
          title={title}
          loading={isLoading}
          data-testid={testId}
        >
          <Drawn size={14} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
