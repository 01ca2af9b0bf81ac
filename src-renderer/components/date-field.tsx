import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useMergedRef } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { dayFromIso, isoFromDay } from '../../src-shared/values/civil-date.ts';
import { notation } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import { dateText, dayTyped } from '../format/dates.ts';
import { useNow } from './use-now.ts';

const PATTERNS = {
  dmy: say('common.dates.pattern.dmy'),
  mdy: say('common.dates.pattern.mdy'),
  ymd: say('common.dates.pattern.ymd'),
} as const;

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'rightSection'> {
  /** An ISO date; empty for none. */
  readonly value: string;
  /** Gets an empty text while what is typed is no day. */
  readonly onChange: (iso: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * A day, typed in the order of the book or chosen from a calendar. A browser's own field follows the browser instead, so that one person's 03/06 is
 * another's March. Arrow up and down change the day, and Alt with arrow down opens the calendar. A form is not sent while
 * what is typed is no day, as it would take the day for deleted.
 */
export function DateField({ value, onChange, error, onBlur, onKeyDown, ref, ...rest }: DateFieldProps) {
  const nowMs = useNow();
  const [text, setText] = useState(dateText(value));
  const [known, setKnown] = useState(value);
  const [isLeft, setLeft] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const typed = dayTyped(text, nowMs) ?? '';
  if (value !== known) {
    setKnown(value);
    if (value !== typed) setText(dateText(value));
  }
  function take(iso: string): void {
    setText(dateText(iso));
    onChange(iso);
  }
  function onKey(event: KeyboardEvent<HTMLInputElement>): void {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    const day = dayFromIso(typed);
    if (event.altKey && event.key === 'ArrowDown') setOpen(true);
    else if (step !== 0 && day !== null) take(isoFromDay(day + step));
    if (step !== 0) {
      event.preventDefault();
      // The arrows of a list or a grid around the field would leave it.
      event.stopPropagation();
    } else onKeyDown?.(event);
  }
  const isNoDay = text.trim() !== '' && typed === '';
  const fault = say('common.dates.writeADay', { pattern: PATTERNS[notation().days] });
  const field = useRef<HTMLInputElement>(null);
  const fieldRef = useMergedRef(field, ref);
  useEffect(() => field.current?.setCustomValidity(isNoDay ? fault : ''), [isNoDay, fault]);
  return (
    // The field is no button: it does not say itself that a calendar is open, which has the focus then.
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withinPortal withRoles={false}>
      <Popover.Target>
        <TextInput
          placeholder={PATTERNS[notation().days]}
          autoComplete="off"
          {...rest}
          ref={fieldRef}
          value={text}
          error={isLeft && isNoDay ? fault : error}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setLeft(false);
            onChange(dayTyped(currentTarget.value, nowMs) ?? '');
          }}
          onBlur={(event) => {
            setLeft(true);
            if (typed !== '') setText(dateText(typed));
            // The calendar takes the focus and gives it back.
            if (!isOpen) onBlur?.(event);
          }}
          onKeyDown={onKey}
          rightSection={<OpenCalendar isDisabled={rest.disabled === true} onOpen={() => setOpen(!isOpen)} />}
        />
      </Popover.Target>
      <Calendar
        iso={typed}
        onChoose={(iso) => {
          take(iso);
          setOpen(false);
        }}
      />
    </Popover>
  );
}

interface OpenCalendarProps {
  readonly isDisabled: boolean;
  readonly onOpen: () => void;
}

function OpenCalendar({ isDisabled, onOpen }: OpenCalendarProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="xs"
      tabIndex={-1}
      disabled={isDisabled}
      aria-label={say('common.dates.chooseADay')}
      // The field keeps the focus, so that a cell that ends with its focus stays open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <IconCalendar size={14} aria-hidden />
    </ActionIcon>
  );
}

interface CalendarProps {
  readonly iso: string;
  readonly onChoose: (iso: string) => void;
}

function Calendar({ iso, onChoose }: CalendarProps) {
  return (
    <Popover.Dropdown
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the popover is a `div`, whose keys must not be those of the screen
      role="dialog"
      aria-label={say('common.dates.chooseADay')}
      onMouseDown={(event) => event.preventDefault()}
      data-testid="calendar"
    >
      <DatePicker
        size="xs"
        value={iso === '' ? null : iso}
        {...(iso === '' ? {} : { defaultDate: iso })}
        weekendDays={[]}
        firstDayOfWeek={notation().week}
        onChange={(chosen) => onChoose(chosen ?? '')}
      />
    </Popover.Dropdown>
  );
}
