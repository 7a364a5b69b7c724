struct Plain { int a; double b; };
class Gone { public: int i; ~Gone(); };
struct Base { char c; int n; };
struct Derived : Base { char d; int twice(int k) const; Derived(const Derived &); };
struct Poly { virtual ~Poly(); virtual int v(int); int x; };
struct Empty {};
struct OverEmpty : Empty { int e; };
struct Tail { int a; char b; Tail(); };
struct More : Tail { char type; };
struct Bits { unsigned a : 3; unsigned b : 7; Bits(); };
namespace ns { struct In { long l; short s; }; In make(int); int take(In, Gone); void ref(const Plain &, Gone &&); }
Gone result(int);
double over(double); int over(int);
struct Left : virtual Base {};
template <class T> struct Box { T value; T get() const; };
template <class T> T Box<T>::get() const { return value; }
