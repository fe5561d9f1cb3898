import { Popover } from '@base-ui/react/popover'
import { CircleHelp } from 'lucide-react'
import * as t from '#locale/mail'

/** Search operators. Selecting one inserts its example. */
export const SearchHelp = ({ onPick }: { onPick: (example: string) => void }) => (
  <Popover.Root>
    <Popover.Trigger
      className="button"
      data-kind="quiet"
      data-shape="icon"
      data-size="small"
      aria-label={t.searchOperators}
    >
      <CircleHelp size={17} aria-hidden="true" />
    </Popover.Trigger>
    <Popover.Portal>
      <Popover.Positioner className="menu-place" sideOffset={8} align="end" collisionPadding={8}>
        <Popover.Popup className="menu search-help">
          <Popover.Title className="search-help-title">{t.searchOperators}</Popover.Title>
          <ul>
            {t.searchExamples.map(({ example, meaning }) => (
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
