"""Log-likelihood ratios of the generalised sequential test, computed by brute force.

Writes the table llr.csv beside the tests: `python3 llr.py > ../llr.csv`. Plain Python, no packages.

The library solves Lagrange's equations. This script does not: for each hypothesis it maximises the likelihood directly
over all distributions that satisfy the constraints, walking inside the constraint surface by Newton's method on a basis
of its directions. For a t-value, which ties mean and variance together, an outer search runs over the deviation sigma:
with sigma fixed, mean and second moment are fixed, and the constraints are linear again.
"""

import math

UNSEEN = 1e-3
PER_T = 800 / math.log(10)


def differences(order, n):
    """Directions that change neither the sum nor the first order-1 moments: differences of that order."""
    row = [1.0]
    for _ in range(order):
        row = [a - b for a, b in zip(row + [0.0], [0.0] + row)]
    return [[0.0] * i + row + [0.0] * (n - len(row) - i) for i in range(n - len(row) + 1)]


def solve(matrix, vector):
    """Gaussian elimination with pivoting."""
    n = len(vector)
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            for c in range(i, n + 1):
                rows[r][c] -= factor * rows[i][c]
    result = [0.0] * n
    for i in reversed(range(n)):
        result[i] = (rows[i][n] - sum(rows[i][c] * result[c] for c in range(i + 1, n))) / rows[i][i]
    return result


def likelihood(q, p):
    return math.fsum(a * math.log(b) for a, b in zip(q, p))


def climb(q, p, directions):
    """The largest sum of q ln p reachable from p along the directions (damped Newton)."""
    n = len(p)
    for _ in range(500):
        gradient = [math.fsum(d[i] * q[i] / p[i] for i in range(n)) for d in directions]
        hessian = [[math.fsum(d[i] * e[i] * q[i] / p[i] ** 2 for i in range(n)) for e in directions] for d in directions]
        if not directions:
            break
        step = solve(hessian, gradient)
        move = [math.fsum(s * d[i] for s, d in zip(step, directions)) for i in range(n)]
        decrement = math.sqrt(max(0.0, math.fsum(s * g for s, g in zip(step, gradient))))
        length = 1.0
        while True:
            new = [p[i] + length * move[i] for i in range(n)]
            # Staying clear of the walls keeps the next step from being tiny.
            clear = all(b > a / 10 for a, b in zip(p, new))
            if clear and likelihood(q, new) >= likelihood(q, p) - 1e-15:
                break
            length /= 2
            if length < 1e-12:
                return likelihood(q, p)
        p = new
        if decrement < 1e-13:
            break
    return likelihood(q, p)


def binomial(n, mean):
    k = n - 1
    return [math.comb(k, i) * mean**i * (1 - mean) ** (k - i) for i in range(n)]


def best_with_mean(q, mean):
    n = len(q)
    return climb(q, binomial(n, mean), differences(2, n))


def variance_of(p):
    n = len(p)
    mean = sum(i / (n - 1) * x for i, x in enumerate(p))
    return sum((i / (n - 1) - mean) ** 2 * x for i, x in enumerate(p))


def inside(n, mean, variance):
    """Some distribution with this mean and variance and no zeros, or None."""
    lower = int(mean * (n - 1))
    share = mean * (n - 1) - lower
    narrow = [0.0] * n
    narrow[lower] = 1 - share
    narrow[min(lower + 1, n - 1)] += share
    wide = [1 - mean] + [0.0] * (n - 2) + [mean]
    smooth = binomial(n, mean)
    v_narrow, v_wide, v_smooth = map(variance_of, (narrow, wide, smooth))
    part = 0.5
    while part > 1e-12:
        rest = (variance - part * v_smooth) / (1 - part)
        weight = (rest - v_narrow) / (v_wide - v_narrow)
        if 0 <= weight <= 1:
            p = [
                part * s + (1 - part) * ((1 - weight) * a + weight * b) for s, a, b in zip(smooth, narrow, wide)
            ]
            if min(p) > 0:
                return p
        part /= 2
    return None


def best_with_t(q, t):
    n = len(q)

    def value(sigma):
        mean = 0.5 + t * sigma
        if not 0 < mean < 1:
            return -math.inf
        start = inside(n, mean, sigma * sigma)
        if start is None:
            return -math.inf
        return climb(q, start, differences(3, n))

    # A coarse scan finds the hills, of which there may be several; golden sections find their tops.
    grid = [i / 4000 for i in range(1, 2000)]
    values = [-math.inf] + [value(sigma) for sigma in grid] + [-math.inf]
    edges = [1e-9] + grid + [0.5]
    hills = [i for i in range(1, len(values) - 1) if values[i] >= max(values[i - 1], values[i + 1], -1e300)]
    return max(summit(value, edges[i - 1], edges[i + 1]) for i in hills)


def summit(value, low, high):
    """The largest value between two ends that enclose one hill."""
    golden = (math.sqrt(5) - 1) / 2
    a, b = high - golden * (high - low), low + golden * (high - low)
    value_a, value_b = value(a), value(b)
    for _ in range(70):
        if value_a > value_b:
            high, b, value_b = b, a, value_a
            a = high - golden * (high - low)
            value_a = value(a)
        else:
            low, a, value_a = a, b, value_b
            b = low + golden * (high - low)
            value_b = value(b)
    return max(value_a, value_b)


def llr(counts, bounds, model):
    counts = [max(count, UNSEEN) for count in counts]
    units = sum(counts)
    q = [count / units for count in counts]
    games = (len(q) - 1) // 2
    if model == "logistic":
        best = [best_with_mean(q, 1 / (1 + 10 ** (-elo / 400))) for elo in bounds]
    else:
        best = [best_with_t(q, elo / PER_T * math.sqrt(games)) for elo in bounds]
    return units * (best[1] - best[0])


COUNTS = [
    (36027, 68692, 36433),
    (10650, 20431, 10871),
    (30, 25, 45),
    (3, 90, 7),
    (100, 0, 120),
    (0, 50, 3),
    (0, 0, 20),
    (1, 0, 0),
    (365, 16618, 36229, 16974, 390),
    (871, 26175, 55983, 26678, 821),
    (12, 180, 420, 230, 20),
    (1, 3, 10, 5, 2),
    (0, 8, 80, 12, 0),
    (60, 10, 5, 10, 65),
    (0, 0, 1, 0, 0),
    (0, 0, 0, 0, 40),
    (25, 0, 0, 0, 0),
    (0, 0, 500, 0, 0),
    (1, 20, 300, 900, 779),
]
BOUNDS = [(0, 2), (0.5, 2.5), (-1.75, 0.25), (0, 5), (-10, 10), (20, 60)]

if __name__ == "__main__":
    print("# counts from the lowest score to the highest; lower and upper bound; Elo model; LLR (made by oracle/llr.py)")
    for counts in COUNTS:
        for bounds in BOUNDS:
            for model in ("logistic", "normalised"):
                number = llr(counts, bounds, model)
                print(" ".join(map(str, counts)), bounds[0], bounds[1], model, f"{number:.7f}", sep=",")
