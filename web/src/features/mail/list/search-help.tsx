import { Popover } from '@base-ui/react/popover'
import { CircleHelp } from 'lucide-react'

const OPERATORS: readonly (readonly [example: string, meaning: string])[] = [
  ['invoice march', 'both words, anywhere'],
  ['"final report"', 'these words, in this order'],
  ['invo*', 'words that begin so'],
  ['-draft', 'without this word'],
  ['from:ana', 'written by Ana'],
  ['to:ben', 'sent to Ben'],
  ['subject:lunch', 'in the subject'],
  ['tag:work', 'with this tag'],
  ['list:news.example.org', 'by this mailing list'],
  ['is:unread', 'also is:read, is:starred'],
  ['has:attachment', 'with a file'],
  ['in:archive', 'in one folder'],
  ['after:2026-03-01', 'from that day on; also before:'],
  ['after:7d', 'the last 7 days; also 2w, 3m, 1y, yesterday'],
]

/** Search operators. Selecting one inserts its example. */
export const SearchHelp = ({ onPick }: { onPick: (example: string) => void }) => (
  <Popover.Root>
    <Popover.Trigger
      className="button"
      data-kind="quiet"
      data-shape="icon"
      data-size="small"
      aria-label="What the search understands"
    >
      <CircleHelp size={17} aria-hidden="true" />
    </Popover.Trigger>
    <Popover.Portal>
      <Popover.Positioner className="menu-place" sideOffset={8} align="end" collisionPadding={8}>
        <Popover.Popup className="menu search-help">
          <Popover.Title className="search-help-title">What the search understands</Popover.Title>
          <ul>
            {OPERATORS.map(([example, meaning]) => (
              <li key={example}>
                <Popover.Close className="search-help-line" onClick={() => onPick(example)}>
                  <code>{example}</code>
                  <span>{meaning}</span>
                </Popover.Close>
              </li>
            ))}
          </ul>
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
)
