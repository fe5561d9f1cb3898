import { Menu } from '@base-ui/react/menu'
import { Ellipsis, LogOut, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import * as t from '#locale/shell'
import { useServices } from '../api/context.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { ArrangeNavigation } from './arrange-navigation.tsx'
import {
  isWithin,
  NAVIGATION,
  type NavigationItem,
  type PinnedPages,
  readPinnedPages,
  savePinnedPages,
  TAB_COUNT,
} from './navigation.ts'
import { useSignOut } from './use-sign-out.ts'

interface MoreMenuProps {
  pages: readonly NavigationItem[]
  isSmall: boolean
  onArrange: () => void
}

/** The pages that are not pinned, and on small screens those without a tab. */
const MoreMenu = ({ pages, isSmall, onArrange }: MoreMenuProps) => {
  const [path] = useLocation()
  const signOut = useSignOut()
  return (
    <Menu.Root>
      <Menu.Trigger
        className="main-nav-more"
        title={t.more}
        data-current={pages.some((page) => isWithin(path, page))}
      >
        <Ellipsis size={19} aria-hidden="true" />
        <span>{t.more}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner
          className="menu-place"
          positionMethod="fixed"
          side={isSmall ? 'top' : 'right'}
          align="end"
          sideOffset={8}
          collisionPadding={8}
        >
          <Menu.Popup className="menu">
            {pages.map((page) => (
              <Menu.LinkItem
                key={page.href}
                className="menu-item"
                closeOnClick
                render={<Link href={page.href} />}
                aria-current={isWithin(path, page) ? 'page' : undefined}
              >
                <page.icon size={17} aria-hidden="true" />
                {page.label}
              </Menu.LinkItem>
            ))}
            {pages.length > 0 && <Menu.Separator className="menu-rule" />}
            <Menu.Item className="menu-item" onClick={onArrange}>
              <SlidersHorizontal size={17} aria-hidden="true" />
              {t.arrangeNavigation}
            </Menu.Item>
            {isSmall && (
              <Menu.Item className="menu-item" onClick={() => void signOut()}>
                <LogOut size={17} aria-hidden="true" />
                {t.signOut}
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** A list at the side, or five tabs at the bottom of small screens. */
export const MainNavigation = ({ hasIcons }: { hasIcons: boolean }) => {
  const [path] = useLocation()
  const { browserStorage } = useServices()
  const [pinned, setPinned] = useState(() => readPinnedPages(browserStorage))
  const [isArranging, setIsArranging] = useState(false)
  // The stylesheet of the frame shows the tabs at the same width.
  const isSmall = useMediaQuery('(max-width: 860px)')
  const others = NAVIGATION.filter((page) => !pinned.includes(page))
  const arrange = (pages: PinnedPages) => {
    savePinnedPages(browserStorage, pages)
    setPinned(pages)
  }
  return (
    <nav className="main-nav" aria-label={t.mainNavigation}>
      <ul>
        {pinned.map((page, index) => (
          <li key={page.href} data-tab={index < TAB_COUNT}>
            <Link
              href={page.href}
              aria-current={isWithin(path, page) ? 'page' : undefined}
              title={hasIcons ? page.label : undefined}
            >
              <page.icon size={19} aria-hidden="true" />
              <span>{page.label}</span>
            </Link>
          </li>
        ))}
        <li data-tab="true">
          <MoreMenu
            pages={isSmall ? [...pinned.slice(TAB_COUNT), ...others] : others}
            isSmall={isSmall}
            onArrange={() => setIsArranging(true)}
          />
        </li>
      </ul>
      <ArrangeNavigation
        open={isArranging}
        pinned={pinned}
        onChange={arrange}
        onClose={() => setIsArranging(false)}
      />
    </nav>
  )
}
