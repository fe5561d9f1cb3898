import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { NAVIGATION } from './navigation.ts'
import { FINDER_KEYS } from './shortcuts.ts'
import './shortcut-help.css'

type Keys = readonly (readonly [label: string, keys: readonly string[]])[]

/** Descriptions of the `useKeys` shortcuts per page. */
const PAGE_SHORTCUTS: Readonly<Record<string, Keys>> = {
  Tasks: [
    ['New task', ['n']],
    ['Next and previous', ['j', 'k']],
    ['Open', ['Enter']],
    ['Done, or open again', ['e']],
    ['Delete', ['#']],
  ],
  Mail: [
    ['Next and previous', ['j', 'k']],
    ['Open', ['Enter']],
    ['Select', ['x']],
    ['Archive', ['e']],
    ['Delete', ['#']],
    ['Read or unread', ['u']],
    ['Star', ['s']],
    ['Reply, reply to all, forward', ['r', 'a', 'f']],
    ['New e-mail', ['c']],
  ],
  Calendar: [
    ['New event', ['n']],
    ['Today', ['t']],
    ['Forward and back', ['j', 'k']],
    ['Month, week, day, agenda', ['1', '2', '3', '4']],
    ['Move the event that has the focus, then arrows', ['m']],
  ],
}

const ANYWHERE: Keys = [
  ['Find anything, go anywhere', [FINDER_KEYS.label]],
  ['Search here', ['/']],
  ['Take back what was done last', ['z']],
  ['What was said last', ['F6']],
  ['This list', ['?']],
  ['Send or save what you write', ['Ctrl+Enter']],
  ['Close a dialog or a menu', ['Esc']],
]

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const rowsOf = (keys: Keys): ReactNode =>
  keys.map(([label, each]) => (
    <Row key={label} label={label}>
      {each.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </Row>
  ))

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="shortcuts-group">
    <h3>{title}</h3>
    <dl>{children}</dl>
  </section>
)

interface HelpProps {
  open: boolean
  onClose: () => void
  enabled: boolean
  onEnable: (wanted: boolean) => void
}

export const ShortcutHelp = ({ open, onClose, enabled, onEnable }: HelpProps) => (
  <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" size="large">
    {/* First in the dialog, because it gets the initial focus and screen readers start there. */}
    <label className="check">
      <input type="checkbox" checked={enabled} onChange={(event) => onEnable(event.target.checked)} />
      <span>
        Use shortcuts of single keys
        <span className="field-hint"> (turn them off if you control this page by voice)</span>
      </span>
    </label>
    <div className="shortcuts">
      <Group title="Anywhere">
        {NAVIGATION.map(({ label, key }) => (
          <Row key={key} label={`Go to ${label}`}>
            <kbd>g</kbd> then <kbd>{key}</kbd>
          </Row>
        ))}
        {rowsOf(ANYWHERE)}
      </Group>
      {Object.entries(PAGE_SHORTCUTS).map(([page, keys]) => (
        <Group key={page} title={page}>
          {rowsOf(keys)}
        </Group>
      ))}
    </div>
  </Dialog>
)
